neuromc presets list neuromc_like_v1
