neuromc sweep models/lenet5.onnx
