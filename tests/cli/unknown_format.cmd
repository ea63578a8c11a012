neuromc estimate models/lenet5.onnx --format jsn
