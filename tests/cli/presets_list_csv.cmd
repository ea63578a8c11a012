neuromc presets list --format csv
