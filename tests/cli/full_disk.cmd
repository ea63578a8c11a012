neuromc estimate models/lenet5.onnx -o /dev/full
