neuromc help estimate
