neuromc estimate models/lenet5.onnx --ledger
