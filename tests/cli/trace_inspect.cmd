neuromc inspect tests/data/golden/linear_dense.trace.jsonl
