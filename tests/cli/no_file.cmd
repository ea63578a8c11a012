neuromc estimate no/such/model.onnx
