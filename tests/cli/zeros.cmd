neuromc estimate /dev/zero
