neuromc estimate tests/data/golden/csnn_small.onnx --soma-op Conv
