neuromc map models/lenet5.onnx
