neuromc estimate tests/data/golden/index.json
