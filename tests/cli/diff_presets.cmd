neuromc diff tpu_like eyeriss_like
