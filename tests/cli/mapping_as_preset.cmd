neuromc estimate $ROOT/models/lenet5.onnx -p $ROOT/tests/fuzz/corpus/mapping/whole
