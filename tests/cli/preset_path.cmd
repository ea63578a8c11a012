neuromc estimate $ROOT/models/lenet5.onnx --preset-path /no/such/folder
