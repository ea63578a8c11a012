neuromc sweep models/lenet5.onnx --vary primitives_pj.add=1:1e6:1 --vary primitives_pj.mul=1:1e6:1 --vary primitives_pj.mux=1:1e6:1 --vary primitives_pj.comp=1:1e6:1 --vary primitives_pj.sqrt=1:1e6:1
