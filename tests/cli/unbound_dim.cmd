neuromc estimate models/lenet5_dynamic.onnx
