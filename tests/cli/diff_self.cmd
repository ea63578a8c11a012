neuromc diff models/lenet5.onnx models/lenet5.onnx --fail-above 0%
