neuromc sweep models/lenet5.onnx --vary primitives_pj.ad=1,2
