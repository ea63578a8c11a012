neuromc estimate models/lenet5.onnx > /dev/full
