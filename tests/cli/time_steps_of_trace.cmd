neuromc estimate tests/data/golden/if_node.trace.jsonl --time-steps 3
