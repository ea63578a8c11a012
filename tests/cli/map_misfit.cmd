neuromc map models/lenet5.onnx --preset tpu_like --set memory_instances.rf_2B.size_bits=8
