neuromc estimate a.onnx b.onnx
