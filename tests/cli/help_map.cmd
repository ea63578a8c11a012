neuromc help map
