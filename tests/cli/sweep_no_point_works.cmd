neuromc sweep models/lenet5.onnx --vary primitives_pj.add=1nm,3nm --vary primitives_pj.mul=1,2
