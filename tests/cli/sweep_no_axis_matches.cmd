neuromc sweep models/lenet5.onnx --vary 'memory_instances.zzz_*.read_cost_pj=1,2'
