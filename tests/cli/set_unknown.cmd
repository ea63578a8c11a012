neuromc estimate models/lenet5.onnx --set memory_instances.sram_2MB.read_cots_pj=40
