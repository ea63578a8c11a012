neuromc estimate models/lenet5.onnx --train --stages forward
