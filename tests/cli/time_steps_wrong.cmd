neuromc estimate tests/data/golden/csnn_small.onnx --time-steps 3
