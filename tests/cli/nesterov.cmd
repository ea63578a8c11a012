neuromc estimate models/lenet5.onnx --train --optimizer sgd --momentum 0.9 --nesterov
