cat models/lenet5.onnx | neuromc estimate - --format csv | tail -n 2
