neuromc estimate models/lenet5_dynamic.onnx --batch 8 --format csv
