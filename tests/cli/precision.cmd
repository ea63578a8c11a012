neuromc estimate models/lenet5.onnx --precision from-model --format csv | cut -d, -f3,7-9
