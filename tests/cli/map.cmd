neuromc map models/lenet5.onnx --preset tpu_like
