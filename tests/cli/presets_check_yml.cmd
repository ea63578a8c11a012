d=$(mktemp -d) && cp $ROOT/configs/memory_presets/tpu_like.yaml $d/mine.yml && cd $d && neuromc presets check mine.yml; rm -r $d
