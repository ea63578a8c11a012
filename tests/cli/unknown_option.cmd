neuromc estimate x.onnx --presets a
