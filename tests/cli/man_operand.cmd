neuromc man estimate
