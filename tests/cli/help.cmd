neuromc help
