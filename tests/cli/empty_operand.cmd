neuromc estimate ""
