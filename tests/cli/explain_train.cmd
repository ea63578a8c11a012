neuromc explain models/csnn.onnx /layer/layer.1/BatchNormalization --train
