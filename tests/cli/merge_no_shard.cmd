neuromc merge tests/data/sweep/wrong.yaml
