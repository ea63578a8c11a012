: | neuromc estimate -
