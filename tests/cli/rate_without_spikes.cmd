neuromc estimate models/lenet5.onnx --spike-rate 0.2 --format folded | head -n 1
