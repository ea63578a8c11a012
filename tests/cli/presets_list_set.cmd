neuromc presets list --set primitives_pj.mul=2
