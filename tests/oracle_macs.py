#!/usr/bin/python3
"""Counts the MACs of ONNX models by running them: oracle_macs.py [--write JSON] FILE...

Every float tensor is all ones, padding included, and every matrix product and convolution is
really computed in float64: the sum of its output is then its number of multiply-accumulates.
Integers keep their values, so shape arithmetic and loops do what they do. Shares nothing with the
program under test. Prints, or writes as JSON, per file: total, MACs by node, and the updates of
spiking neurons (elements of the comparisons that decide on spikes; meaningful for models/ alone).
Needs numpy and onnx.
"""
import json
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

ELEMENTWISE = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Pow": np.power,
               "GreaterOrEqual": np.greater_equal}
SAME_SHAPE = {"Relu", "Clip", "Tanh", "Erf", "Sqrt", "Neg", "Sigmoid", "Softmax", "LayerNormalization", "Dropout", "LRN",
              "BatchNormalization", "Identity"}


def ones(shape):
    return np.broadcast_to(np.float64(1), shape)


def value_of(tensor):
    """Integers as they are; of floats only the shape, since their data may not be there."""
    kind = tensor.data_type
    if kind in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE):
        return ones(list(tensor.dims))
    return numpy_helper.to_array(tensor)


def padding(size, kernel, strides, dilations, a):
    """Padding of each axis, both ends together."""
    kind = a.get("auto_pad", b"NOTSET").decode()
    if kind.startswith("SAME"):
        return [max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
                for n, k, s, d in zip(size, kernel, strides, dilations)]
    pads = a.get("pads", [0] * 2 * len(size)) if kind == "NOTSET" else [0] * 2 * len(size)
    return [before + after for before, after in zip(pads, pads[len(size):])]


def conv(x, w, a):
    """Convolution over any number of axes, one kernel position after the other."""
    n, c, *size = x.shape
    kernel, groups = w.shape[2:], a.get("group", 1)
    strides, dilations = (a.get(k, [1] * len(size)) for k in ("strides", "dilations"))
    size = [v + p for v, p in zip(size, padding(size, kernel, strides, dilations, a))]
    out_size = [(v - (k - 1) * d - 1) // s + 1 for v, k, s, d in zip(size, kernel, strides, dilations)]
    x = np.ones((n, groups, c // groups, *size))
    w = np.ones((groups, w.shape[0] // groups, *w.shape[1:]))
    out = 0
    for at in np.ndindex(*kernel):
        part = x[(..., *(slice(i * d, i * d + (o - 1) * s + 1, s)
                         for i, d, o, s in zip(at, dilations, out_size, strides)))]
        out = out + w[(slice(None),) * 3 + at] @ part.reshape(n, groups, c // groups, -1)
    return out.sum(), [n, w.shape[0] * w.shape[1], *out_size]


def conv_transpose(x, w, a):
    """Every input value is spread over the outputs its kernel reaches; padding crops them later."""
    n, c, *size = x.shape
    kernel, groups = w.shape[2:], a.get("group", 1)
    strides, dilations = (a.get(k, [1] * len(size)) for k in ("strides", "dilations"))
    full = [(v - 1) * s + (k - 1) * d + 1 for v, s, k, d in zip(size, strides, kernel, dilations)]
    x = np.ones((n, groups, c // groups, int(np.prod(size))))
    w = np.ones((groups, c // groups, *w.shape[1:]))
    out = np.zeros((n, groups, w.shape[2], *full))
    for at in np.ndindex(*kernel):
        part = w[(slice(None),) * 3 + at].transpose(0, 2, 1) @ x
        out[(..., *(slice(i * d, i * d + (v - 1) * s + 1, s) for i, d, v, s in zip(at, dilations, size, strides)))] += \
            part.reshape(n, groups, -1, *size)
    crop = a.get("pads", [0] * 2 * len(size))
    more = a.get("output_padding", [0] * len(size))
    shape = [f - crop[i] - crop[i + len(size)] + more[i] for i, f in enumerate(full)]
    return out.sum(), [n, groups * w.shape[2], *shape]


def gemm(x, w, a):
    x, w = (np.ones(t.shape).T if a.get(f) else np.ones(t.shape) for t, f in ((x, "transA"), (w, "transB")))
    return matmul(x, w, a)


def matmul(x, w, _):
    out = np.ones(x.shape) @ np.ones(w.shape)
    return out.sum(), list(np.shape(out))


def einsum(x, w, a):
    out = np.einsum(a["equation"].decode(), np.ones(x.shape), np.ones(w.shape))
    return out.sum(), list(out.shape)


def recurrent(x, w, r, a):
    """The gates' products of input and hidden state, step by step in each direction."""
    x = x.transpose(1, 0, 2) if a.get("layout") else x
    count = 0
    for direction in range(w.shape[0]):
        for step in range(x.shape[0]):
            count += (np.ones(x.shape[1:]) @ np.ones(w.shape[1:]).T).sum()
            count += (np.ones((x.shape[1], r.shape[2])) @ np.ones(r.shape[1:]).T).sum()
    return count, [x.shape[0], w.shape[0], x.shape[1], r.shape[2]]


PRODUCTS = {"Conv": conv, "ConvTranspose": conv_transpose, "Gemm": gemm, "MatMul": matmul, "Einsum": einsum}
RECURRENT = {"RNN", "GRU", "LSTM"}


def pooled(x, a):
    pads = a.get("pads", [0] * 4)
    size = []
    for n, k, s, before, after in zip(x.shape[2:], a["kernel_shape"], a.get("strides", [1, 1]), pads, pads[2:]):
        room = n + before + after - k
        size.append((room + s - 1 if a.get("ceil_mode") else room) // s + 1)
    return ones([*x.shape[:2], *size])


def reshape(x, target):
    return x.reshape([x.shape[i] if d == 0 else int(d) for i, d in enumerate(target)])


def slices(x, starts, ends, axes):
    at = [slice(None)] * x.ndim
    for start, end, axis in zip(starts, ends, axes):
        at[axis] = slice(int(start), int(min(end, 2**31)))
    return x[tuple(at)]


def unsqueeze(x, axes):
    rank = x.ndim + len(axes)
    return np.expand_dims(x, tuple(int(a) % rank for a in axes))


SHAPES = {
    "Shape": lambda a, x: np.array(x.shape, np.int64),
    "Reshape": lambda a, x, target: reshape(x, target),
    "Flatten": lambda a, x: x.reshape(int(np.prod(x.shape[:a.get("axis", 1)])), -1),
    "Transpose": lambda a, x: x.transpose(a["perm"]),
    "Concat": lambda a, *xs: np.concatenate(xs, a["axis"]),
    "Gather": lambda a, x, i: np.take(x, np.asarray(i, np.int64), a.get("axis", 0), mode="clip"),
    "Slice": lambda a, x, starts, ends, axes: slices(x, starts, ends, axes),
    "Unsqueeze": lambda a, x, axes: unsqueeze(x, axes),
    "Expand": lambda a, x, shape: np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape))),
    "Tile": lambda a, x, times: np.tile(x, times),
    "ScatterND": lambda a, x, i, updates: x,
    "ReduceMean": lambda a, x: np.mean(x, tuple(a["axes"]), keepdims=bool(a.get("keepdims", 1))),
    "GlobalAveragePool": lambda a, x: np.mean(x, (2, 3), keepdims=True),
    "MaxPool": lambda a, x: pooled(x, a),
    "AveragePool": lambda a, x: pooled(x, a),
    "Div": lambda a, x, y: x // y if x.dtype.kind == "i" else np.add(x, y),
    "Cast": lambda a, x: x.astype({1: np.float64, 7: np.int64, 9: bool}[a["to"]]),
    "Constant": lambda a: value_of(a["value"]),
    "ConstantOfShape": lambda a, shape: np.broadcast_to(value_of(a["value"]).reshape(()), tuple(shape)),
    "Sum": lambda a, *xs: ones(np.broadcast_shapes(*(x.shape for x in xs))),
}


class Run:
    """One run of a model: MACs by node name, MACs of a training step, updates of neurons.

    Backward, a product is done once more for every operand that a parameter lies upstream of.
    """

    def __init__(self, model, inputs):
        self.macs, self.training, self.updates = {}, 0, 0
        scope = {t.name: value_of(t) for t in model.graph.initializer}
        self.learned = set(scope)
        for i in model.graph.input:
            if i.name not in scope:
                scope[i.name] = self.feed(i, inputs)
        self.graph(model.graph, scope)

    def feed(self, declared, dims):
        t = declared.type.tensor_type
        shape = [d.dim_value or dims[d.dim_param] for d in t.shape.dim]
        return np.zeros(shape, np.int64) if t.elem_type == onnx.TensorProto.INT64 else ones(shape)

    def graph(self, graph, scope):
        for node in graph.node:
            outs = self.node(node, scope)
            if node.op_type != "Shape" and self.learned.intersection(node.input):
                self.learned.update(node.output)
            for name, out in zip(node.output, outs):
                scope[name] = ones(out.shape) if out.dtype.kind == "f" else out

    def node(self, node, scope):
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        inputs = [scope[name] for name in node.input if name]
        kind = node.op_type
        if kind in PRODUCTS or kind in RECURRENT:
            count, shape = (PRODUCTS[kind](*inputs[:2], attributes) if kind in PRODUCTS else
                            recurrent(*inputs[:3], attributes))
            self.macs[node.name] = self.macs.get(node.name, 0) + int(count)
            self.training += int(count) * (1 + sum(name in self.learned for name in node.input[:2]))
            return [ones(shape)]
        if kind in ELEMENTWISE:
            out = ELEMENTWISE[kind](*inputs)
            self.updates += out.size if kind == "GreaterOrEqual" else 0
            return [out]
        if kind in SAME_SHAPE:
            return [inputs[0]]
        if kind == "Loop":
            return self.loop(node, attributes["body"], inputs, scope)
        if kind not in SHAPES:
            raise NotImplementedError(f"{kind} ({node.name})")
        return [SHAPES[kind](attributes, *inputs)]

    def loop(self, node, body, inputs, outer):
        trips, going, *carried = inputs
        sources = node.input[2:]
        for step in range(int(trips)):
            scope = dict(outer)
            scope.update(zip((i.name for i in body.input), (np.int64(step), going, *carried)))
            self.learned.update(i.name for i, source in zip(body.input[2:], sources) if source in self.learned)
            self.graph(body, scope)
            sources = [o.name for o in body.output[1:]]
            carried = [scope[name] for name in sources]
        self.learned.update(out for out, source in zip(node.output, sources) if source in self.learned)
        return carried


def parameters(model):
    """Trainable numbers: all initializers but batch norm's running statistics."""
    return sum(int(np.prod(t.dims)) for t in model.graph.initializer if ".running_" not in t.name)


def count(path, dims=None):
    """What there is to count in a file; dims binds symbolic dims, N to 1 otherwise."""
    model = onnx.load(str(path), load_external_data=False)
    run = Run(model, dims or {"N": 1})
    return {"total": sum(run.macs.values()), "training": run.training, "updates": run.updates,
            "parameters": parameters(model), "nodes": run.macs}


def main(arguments):
    target = arguments.pop(0) and arguments.pop(0) if arguments[:1] == ["--write"] else None
    if not arguments:
        sys.exit(__doc__)
    counts = {pathlib.Path(f).stem: count(f) for f in sorted(arguments)}
    if target:
        pathlib.Path(target).write_text(json.dumps(counts, indent=1) + "\n")
    for name, c in counts.items():
        print(f"{name}: {c['total']} MACs, {c['updates']} neuron updates, {len(c['nodes'])} products")


if __name__ == "__main__":
    main(sys.argv[1:])
