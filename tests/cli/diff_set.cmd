neuromc diff models/lenet5.onnx --set primitives_pj.mul=2
