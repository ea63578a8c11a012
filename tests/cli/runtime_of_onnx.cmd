neuromc estimate models/lenet5.onnx -a runtime
