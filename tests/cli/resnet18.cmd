neuromc estimate models/resnet18.onnx --preset neuromc_like_v1
