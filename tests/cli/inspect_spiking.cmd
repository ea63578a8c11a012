neuromc inspect tests/data/golden/multistep_csnn.onnx | tail -40
