neuromc map $ROOT/models/lenet5.onnx -p tpu_like --mapping $ROOT/tests/fuzz/corpus/report/whole.json
