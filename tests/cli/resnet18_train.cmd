neuromc estimate models/resnet18.onnx --train --optimizer sgd --momentum 0.9
