neuromc presets shwo
