neuromc explain models/lenet5.onnx
