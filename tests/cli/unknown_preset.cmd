neuromc estimate models/lenet5.onnx --preset neuromc_like_v2
