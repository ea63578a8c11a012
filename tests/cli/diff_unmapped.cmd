neuromc diff $ROOT/models/lenet5.onnx -p tpu_like --set memory_instances.rf_2B.size_bits=8 --fail-above 5%
