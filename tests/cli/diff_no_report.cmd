printf "{\"schema\": {\"name\": \"neuromc-report\", \"version\": 1},\n \"model\": 3}" | neuromc diff models/lenet5.onnx -
