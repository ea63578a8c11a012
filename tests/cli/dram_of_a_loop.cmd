neuromc estimate tests/data/loop_of_five.onnx -p neuromc_like_v1_dram -s count.on_chip_bits=2000 --format json | grep -A 6 by_cause
