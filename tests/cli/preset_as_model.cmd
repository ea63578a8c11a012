neuromc estimate $ROOT/configs/memory_presets/tpu_like.yaml
