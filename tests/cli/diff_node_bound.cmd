neuromc diff $ROOT/models/lenet5.onnx --set primitives_pj.mul=2 --fail-above 1000% --fail-above-node 10% -o /dev/null
