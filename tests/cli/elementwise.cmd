neuromc estimate models/lenet5.onnx --elementwise count
