#!/usr/bin/python3
"""Writes the networks of this folder as weight-free ONNX files: make.py DIR [NAME...]

The same bytes come out every time. Needs the Python package onnx (Debian: python3-onnx).
"""
import pathlib
import sys

sys.dont_write_bytecode = True

import convnets  # noqa: E402
import spiking  # noqa: E402
import transformers  # noqa: E402

NETS = {make.__name__: make for make in convnets.NETS + transformers.NETS + spiking.NETS}


def main(directory, *names):
    unknown = set(names) - set(NETS)
    if unknown:
        sys.exit(f"make.py: no network is called {', '.join(sorted(unknown))}; there are {', '.join(NETS)}")
    for name in names or NETS:
        data = NETS[name]().model().SerializeToString(deterministic=True)
        pathlib.Path(directory, name + ".onnx").write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
