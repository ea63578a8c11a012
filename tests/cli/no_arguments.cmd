neuromc
