neuromc estimate -o "" models/lenet5.onnx
