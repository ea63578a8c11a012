neuromc estimate tests/data/loop_of_five.onnx --trip L=3
