neuromc estimate models/lenet5.onnx -o no/such/folder/report.txt
