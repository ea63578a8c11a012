neuromc estimate tests/data/golden/linear_sequence.trace.jsonl
