neuromc estimate - --format json < models/lenet5.onnx | grep -m1 energy_total
