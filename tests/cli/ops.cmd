neuromc ops | head -n 30
