neuromc diff models/lenet5.onnx --preset neuromc_like_v1 --preset neuromc_like_v1_dram --format md
