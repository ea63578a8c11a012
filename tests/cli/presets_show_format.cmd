neuromc presets show tpu_like --format json
