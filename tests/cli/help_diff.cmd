neuromc help diff
