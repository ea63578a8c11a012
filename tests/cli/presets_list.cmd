neuromc presets
