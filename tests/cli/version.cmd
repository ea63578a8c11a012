neuromc --version
