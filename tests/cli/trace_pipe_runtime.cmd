cat tests/data/golden/linear_sequence.trace.jsonl | neuromc estimate - --accounting runtime --format csv
