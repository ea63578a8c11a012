neuromc explain models/lenet5.onnx /output/Gemm
