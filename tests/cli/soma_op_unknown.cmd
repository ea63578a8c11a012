neuromc estimate tests/data/inputs/onnx/custom_domain_unknown_op.onnx --soma-op MyOpp
