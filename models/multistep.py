"""Layers on a sequence [T, N, ...], node for node as a PyTorch export in inference mode leaves them.

A stateless layer sees [T*N, ...]: shape arithmetic merges the two axes in front of it and splits
them after it. A neuron layer is a Loop over time that writes each step's spikes in their place.
"""
from onnx import helper

from builder import BOOL, FLOAT, INT64, INT64_MAX
from neurons import charge_if, fire_eval, reset_eval


def shape_of(net, x):
    return net.op("Shape", "", [x], [len(net.shape[x])])


def slice_shape(net, shape, start, end):
    """Part of a shape vector, which may be an empty one."""
    inputs = [shape, *(net.const("", [v]) for v in (start, end, 0))]
    return net.op("Slice", "", inputs, [min(end, net.shape[shape][0]) - start])


def dim_of(net, x, axis):
    return net.op("Gather", "", [shape_of(net, x), net.const("", axis)], [], axis=0)


def merge_time(net, x):
    """[T, N, ...] becomes [T*N, ...]."""
    t, n, *rest = net.shape[x]
    shape = shape_of(net, x)
    parts = [slice_shape(net, shape, 0, 0), net.const("", [-1]), slice_shape(net, shape, 2, len(rest) + 2)]
    target = net.op("Concat", "", parts, [len(rest) + 1], axis=0)
    return net.op("Reshape", "", [x, target], [t * n, *rest])


def split_time(net, y, x):
    """[T*N, ...] becomes [T, N, ...] with T and N of x."""
    rest = net.shape[y][1:]
    dims = [dim_of(net, x, 0), dim_of(net, x, 1)] + [dim_of(net, y, i + 1) for i in range(len(rest))]
    target = net.op("Concat", "", [net.unsqueeze("", d, 0) for d in dims], [len(dims)], axis=0)
    return net.op("Reshape", "", [y, target], [*net.shape[x][:2], *rest])


def stateless(net, x, layer):
    return split_time(net, layer(merge_time(net, x)), x)


def repeat(net, x, steps):
    """The same input at every step: [N, ...] becomes [T, N, ...]."""
    x = net.unsqueeze("", x, 0)
    rank = len(net.shape[x])
    ones = net.op("ConstantOfShape", "", [net.const("", [rank])], [rank], value=net.tensor(INT64, [1], [1]))
    x = net.op("Expand", "", [x, ones], net.shape[x])
    return net.op("Tile", "", [x, net.const("", [steps] + [1] * (rank - 1))], [steps, *net.shape[x][1:]])


def write_step(net, sequence, step, value):
    """sequence[step] = value"""
    shape = net.shape[sequence]
    old = net.op("Gather", "", [sequence, step], shape[1:], axis=0)
    value = net.op("Expand", "", [value, shape_of(net, old)], shape[1:])
    index = net.unsqueeze("", step, 0)
    one = shape_of(net, index)
    index = net.op("Unsqueeze", "", [index, net.const("", [-1])], [1, 1])
    rest = slice_shape(net, shape_of(net, sequence), 1, INT64_MAX)
    target = net.op("Concat", "", [one, rest], [len(shape)], axis=0)
    value = net.op("Reshape", "", [value, target], [1, *shape[1:]])
    return net.op("ScatterND", "", [sequence, index, value], shape)


def loop_body(net, path, x, going):
    """The graph of one step; the sequence x and the condition come from the scope around it."""
    state, sequence = net.shape[x][1:], net.shape[x]
    step, condition = net.value(path + ".t", []), net.value(path + ".cond", [])
    v, spikes = net.value(path + ".v", state), net.value(path + ".spikes", sequence)
    with net.subgraph() as nodes:
        h = charge_if(net, path, net.op("Gather", path, [x, step], state, axis=0), v)
        s = fire_eval(net, path, h)
        outputs = [net.op("Identity", "", [going], []), reset_eval(net, path, h, s), write_step(net, spikes, step, s)]
    inputs = [helper.make_tensor_value_info(name, kind, net.shape[name])
              for name, kind in ((step, INT64), (condition, BOOL), (v, FLOAT), (spikes, FLOAT))]
    results = [helper.make_tensor_value_info(name, kind, [f"{name}_dim_{i}" for i in range(len(net.shape[name]))])
               for name, kind in zip(outputs, (BOOL, FLOAT, FLOAT))]
    return helper.make_graph(nodes, path + ".body", inputs, results)


def neuron_loop(net, path, x, going):
    """Integrate-and-fire over the T steps of x; the trip count is read from its shape."""
    v0 = net.zeros(path, net.shape[x][1:])
    zero = net.tensor(FLOAT, [1], [0.0])
    spikes0 = net.op("ConstantOfShape", "", [shape_of(net, x)], net.shape[x], value=zero)
    body = loop_body(net, path, x, going)
    return net.op("Loop", path, [dim_of(net, x, 0), going, v0, spikes0], net.shape[x], outputs=2, result=1, body=body)
