neuromc estimate models/lenet5.onnx --train --momentum 0.9
