neuromc estimat x.onnx
