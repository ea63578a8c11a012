neuromc estimate models/resnet18.onnx --preset ac_mac_45nm
