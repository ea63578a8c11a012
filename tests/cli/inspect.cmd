neuromc inspect models/lenet5.onnx
