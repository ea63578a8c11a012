neuromc estimate models/lenet5_dynamic.onnx --dim M=4
