neuromc estimate models
