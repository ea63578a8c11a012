neuromc sweep models/lenet5.onnx --space tests/data/sweep/too_many.yaml
