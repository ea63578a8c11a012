neuromc diff models/lenet5.onnx
