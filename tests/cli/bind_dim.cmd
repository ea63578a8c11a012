neuromc estimate models/lenet5_dynamic.onnx --dim N=4 | head -n 12
