neuromc estimate models/lenet5.onnx --train --freeze "no.such*"
