neuromc estimate tests/data/golden/csnn_small.onnx --preset neuromc_like_v1_mapped
