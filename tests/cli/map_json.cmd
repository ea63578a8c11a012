neuromc map tests/data/golden/depthwise_conv.onnx --preset eyeriss_timeloop --format json --objective latency
