neuromc estimate tests/data/golden/linear_dense.trace.jsonl -p neuromc_like_v1_dram | tail -n 3
