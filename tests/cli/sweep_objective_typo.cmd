neuromc sweep models/lenet5.onnx --vary primitives_pj.add=1,2 --objective energy_totl_pj
