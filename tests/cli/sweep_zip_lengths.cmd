neuromc sweep models/lenet5.onnx --vary primitives_pj.add=1,2 --vary primitives_pj.mul=1,2,3 --zip primitives_pj.add,primitives_pj.mul
