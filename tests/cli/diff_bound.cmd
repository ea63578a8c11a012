neuromc diff models/lenet5.onnx models/csnn.onnx --fail-above five
