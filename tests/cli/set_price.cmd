neuromc estimate models/lenet5.onnx --set memory_instances.sram_2MB.read_cost_pj=40 --format json | grep -A2 -e --set
