neuromc estimate tests/data/golden/resnet18_ann.trace.jsonl --strict
