neuromc sweep models/lenet5.onnx --vary primitives_pj.add=1,2 --plot a.pdf
