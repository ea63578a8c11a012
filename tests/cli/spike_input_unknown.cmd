neuromc estimate tests/data/golden/csnn_small.onnx --spike-input imput
