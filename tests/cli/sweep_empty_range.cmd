neuromc sweep models/lenet5.onnx --vary primitives_pj.add=10:1:1
