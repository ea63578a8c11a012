neuromc estimate tests/data/golden/linear_dense.trace.jsonl --train
