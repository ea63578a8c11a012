neuromc explain models/lenet5.onnx /c1/Conv --stage backward
