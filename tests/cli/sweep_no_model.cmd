neuromc sweep --vary primitives_pj.add=1,2
