neuromc explain models/lenet5.onnx /c3/Conv -p tpu_like
