"""Builds weight-free ONNX graphs: the layers that networks are written in.

A float parameter is an initializer with dims and type whose data lie in an external file NAME.weights
that does not exist; constants that shapes depend on are inline. Every tensor's shape is tracked in
Net.shape, so a net can be written without doing sums by hand. Layers are called by their module
path (layer1.0.conv1); parameter and node names follow from it as in a PyTorch export
(layer1.0.conv1.weight, /layer1/layer1.0/conv1/Conv).
"""
import contextlib

from onnx import TensorProto, helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
INT64_MAX = 2**63 - 1


def product(dims):
    n = 1
    for d in dims:
        n *= d
    return n


def pair(v):
    return [v, v] if isinstance(v, int) else list(v)


def scope(path):
    """The exporter's name for a module path: layer1.0.conv1 is /layer1/layer1.0/conv1."""
    parts = []
    for word in path.split(".") if path else []:
        parts.append(f"{parts[-1]}.{word}" if word.isdigit() else word)
    return "".join("/" + p for p in parts)


class Net:
    """One network in the making. With `identities`, a parameter used again is reached through an
    Identity, which is what exporters leave where they found equal copies."""

    def __init__(self, name, opset=13, identities=False):
        self.name, self.opset, self.identities = name, opset, identities
        self.nodes, self.inputs, self.outputs, self.params = [], [], [], []
        self.shape = {}
        self.used = {}
        self.offset = 0

    # ---- what a graph is made of -------------------------------------------------------------

    def value(self, name, dims):
        self.shape[name] = list(dims)
        return name

    def input(self, name, dims, dtype=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, dims))
        return self.value(name, dims)

    def output(self, tensor, name="output", dtype=FLOAT):
        """Gives a tensor the name of an output of the graph, and declares it."""
        for n in self.nodes:
            for names in (n.input, n.output):
                for i, t in enumerate(names):
                    if t == tensor:
                        names[i] = name
        self.value(name, self.shape[tensor])
        self.outputs.append(helper.make_tensor_value_info(name, dtype, self.shape[name]))

    def external(self, name, dims, dtype=FLOAT):
        """A tensor whose data lie at the next free place of the file that is not shipped."""
        t = TensorProto(name=name, dims=dims, data_type=dtype, data_location=TensorProto.EXTERNAL)
        size = product(dims) * (4 if dtype == FLOAT else 8)
        for key, value in ("location", self.name + ".weights"), ("offset", self.offset), ("length", size):
            t.external_data.add(key=key, value=str(value))
        self.offset += size
        return t

    def param(self, name, dims):
        if name in self.shape:
            return self.op("Identity", "", [name], dims) if self.identities else name
        self.params.append(self.external(name, dims))
        return self.value(name, dims)

    def op(self, kind, path, inputs, shape, outputs=1, result=0, **attributes):
        """Appends a node; gives the name of its output number `result`, which has that shape."""
        stem = f"{scope(path)}/{kind}"
        n = self.used[stem] = self.used.get(stem, -1) + 1
        name = stem if n == 0 else f"{stem}_{n}"
        outs = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, outs, name=name, **attributes))
        return self.value(outs[result], shape)

    def tensor(self, dtype, dims, values):
        return helper.make_tensor("value", dtype, dims, values)

    def const(self, path, value, dims=None):
        """An inline Constant: a list of integers for a shape, a number for a scalar."""
        values = value if isinstance(value, list) else [value]
        dims = dims if dims is not None else [len(value)] if isinstance(value, list) else []
        dtype = INT64 if isinstance(values[0], int) else FLOAT
        return self.op("Constant", path, [], dims, value=self.tensor(dtype, dims, values))

    def zeros(self, path, dims):
        """A float Constant of full shape; its data are external like those of a parameter."""
        return self.op("Constant", path, [], dims, value=self.external("value", dims))

    @contextlib.contextmanager
    def subgraph(self):
        """Nodes made inside go to the list that this gives, not to the graph."""
        outer, self.nodes = self.nodes, []
        try:
            yield self.nodes
        finally:
            self.nodes = outer

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.params)
        return helper.make_model(graph, ir_version=7 if self.opset < 15 else 8, producer_name="neuromc models/make.py",
                                 opset_imports=[helper.make_opsetid("", self.opset)])

    # ---- layers ------------------------------------------------------------------------------

    def conv(self, path, x, channels, kernel, stride=1, pad=0, groups=1, bias=True):
        k, s, p = pair(kernel), pair(stride), pair(pad)
        n, c, *size = self.shape[x]
        inputs = [x, self.param(path + ".weight", [channels, c // groups, *k])]
        if bias:
            inputs.append(self.param(path + ".bias", [channels]))
        out = [(size[i] + 2 * p[i] - k[i]) // s[i] + 1 for i in range(2)]
        return self.op("Conv", path, inputs, [n, channels, *out], dilations=[1, 1], group=groups, kernel_shape=k,
                       pads=p + p, strides=s)

    def conv_transpose(self, path, x, channels, kernel, stride):
        k, s = pair(kernel), pair(stride)
        n, c, *size = self.shape[x]
        inputs = [x, self.param(path + ".weight", [c, channels, *k]), self.param(path + ".bias", [channels])]
        out = [(size[i] - 1) * s[i] + k[i] for i in range(2)]
        return self.op("ConvTranspose", path, inputs, [n, channels, *out], dilations=[1, 1], group=1, kernel_shape=k,
                       pads=[0, 0, 0, 0], strides=s)

    def batch_norm(self, path, x, training=False):
        c = self.shape[x][1]
        parts = [self.param(f"{path}.{p}", [c]) for p in ("weight", "bias", "running_mean", "running_var")]
        return self.op("BatchNormalization", path, [x, *parts], self.shape[x], outputs=5 if training else 1,
                       epsilon=1e-5, momentum=0.9)

    def relu(self, path, x):
        return self.op("Relu", path, [x], self.shape[x])

    def tanh(self, path, x):
        return self.op("Tanh", path, [x], self.shape[x])

    def clip6(self, path, x):
        low, high = self.const(path, 0.0), self.const(path, 6.0)
        return self.op("Clip", path, [x, low, high], self.shape[x])

    def pool(self, kind, path, x, kernel, stride=None, pad=0, ceil=0):
        k, s, p = pair(kernel), pair(stride or kernel), pair(pad)
        n, c, *size = self.shape[x]
        out = [-(-(size[i] + 2 * p[i] - k[i]) // s[i]) + 1 if ceil else (size[i] + 2 * p[i] - k[i]) // s[i] + 1
               for i in range(2)]
        return self.op(kind, path, [x], [n, c, *out], ceil_mode=ceil, kernel_shape=k, pads=p + p, strides=s)

    def max_pool(self, path, x, kernel, stride=None, pad=0, ceil=0):
        return self.pool("MaxPool", path, x, kernel, stride, pad, ceil)

    def average_pool(self, path, x, kernel, stride=None):
        return self.pool("AveragePool", path, x, kernel, stride)

    def global_average_pool(self, path, x):
        n, c, _, _ = self.shape[x]
        return self.op("GlobalAveragePool", path, [x], [n, c, 1, 1])

    def add(self, path, a, b):
        longer = max(self.shape[a], self.shape[b], key=len)
        return self.op("Add", path, [a, b], longer)

    def concat(self, path, tensors, axis):
        shape = list(self.shape[tensors[0]])
        shape[axis] = sum(self.shape[t][axis] for t in tensors)
        return self.op("Concat", path, tensors, shape, axis=axis)

    def flatten(self, path, x):
        n, *rest = self.shape[x]
        return self.op("Flatten", path, [x], [n, product(rest)], axis=1)

    def gemm(self, path, x, features):
        """A Linear with bias on [N, C]: the weight is stored [K, C]."""
        n, c = self.shape[x]
        inputs = [x, self.param(path + ".weight", [features, c]), self.param(path + ".bias", [features])]
        return self.op("Gemm", path, inputs, [n, features], alpha=1.0, beta=1.0, transB=1)

    def matmul(self, path, x, features, bias=True):
        """A Linear on any rank: the weight is stored transposed, the bias added after."""
        *lead, c = self.shape[x]
        y = self.op("MatMul", path, [x, self.param(path + ".weight", [c, features])], [*lead, features])
        return self.add(path, self.param(path + ".bias", [features]), y) if bias else y

    def reshape(self, path, x, dims):
        return self.op("Reshape", path, [x, self.const(path, list(dims))], dims)

    def transpose(self, path, x, perm):
        return self.op("Transpose", path, [x], [self.shape[x][p] for p in perm], perm=perm)

    def gather(self, path, x, index, axis):
        shape = [d for i, d in enumerate(self.shape[x]) if i != axis]
        return self.op("Gather", path, [x, self.const(path, index)], shape, axis=axis)

    def unsqueeze(self, path, x, axis):
        shape = list(self.shape[x])
        shape.insert(axis, 1)
        return self.op("Unsqueeze", path, [x, self.const(path, [axis])], shape)
