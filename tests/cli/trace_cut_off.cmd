head -c 700 tests/data/golden/linear_dense.trace.jsonl | neuromc estimate -
