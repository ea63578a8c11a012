neuromc explain models/lenet5.onnx /c1/Tanh
