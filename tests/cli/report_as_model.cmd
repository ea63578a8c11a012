neuromc estimate $ROOT/tests/fuzz/corpus/report/whole.json
