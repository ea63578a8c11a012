"""Transformers: a vision transformer as torchvision has it, and a small BERT.

Attention is left in plain operators, as exporters leave it: the products of queries and keys and
of probabilities and values are MatMuls of two activations.
"""
from math import sqrt

from builder import INT64, Net


def layer_norm(net, path, x, epsilon):
    c = net.shape[x][-1]
    inputs = [x, net.param(path + ".weight", [c]), net.param(path + ".bias", [c])]
    return net.op("LayerNormalization", path, inputs, net.shape[x], axis=-1, epsilon=epsilon)


def layer_norm_decomposed(net, path, x, epsilon):
    """What opsets below 17 make of it."""
    shape = net.shape[x]
    mean_shape = [*shape[:-1], 1]
    mean = net.op("ReduceMean", path, [x], mean_shape, axes=[-1])
    centred = net.op("Sub", path, [x, mean], shape)
    square = net.op("Pow", path, [centred, net.const(path, 2.0)], shape)
    variance = net.op("ReduceMean", path, [square], mean_shape, axes=[-1])
    root = net.op("Sqrt", path, [net.add(path, variance, net.const(path, epsilon))], mean_shape)
    y = net.op("Div", path, [centred, root], shape)
    y = net.op("Mul", path, [y, net.param(path + ".weight", shape[-1:])], shape)
    return net.add(path, y, net.param(path + ".bias", shape[-1:]))


def gelu(net, path, x):
    shape = net.shape[x]
    y = net.op("Erf", path, [net.op("Div", path, [x, net.const(path, sqrt(2.0))], shape)], shape)
    y = net.op("Mul", path, [x, net.add(path, y, net.const(path, 1.0))], shape)
    return net.op("Mul", path, [y, net.const(path, 0.5)], shape)


def softmax(net, path, x):
    return net.op("Softmax", path, [x], net.shape[x], axis=-1)


def product(net, path, a, b):
    """A MatMul of two activations."""
    return net.op("MatMul", path, [a, b], [*net.shape[a][:-1], net.shape[b][-1]])


def packed_attention(net, path, x, heads):
    """Batch-first self-attention whose three projections are one matrix."""
    n, length, width = net.shape[x]
    size = width // heads
    x = net.transpose(path, x, [1, 0, 2])
    x = net.matmul(path + ".in_proj", x, 3 * width)
    x = net.transpose(path, net.reshape(path, x, [length, n, 3, width]), [2, 0, 1, 3])
    q, k, v = (net.gather(path, x, i, 0) for i in range(3))
    q, k, v = (net.transpose(path, net.reshape(path, t, [length, n * heads, size]), perm)
               for t, perm in ((q, [1, 0, 2]), (k, [1, 2, 0]), (v, [1, 0, 2])))
    q = net.op("Mul", path, [q, net.const(path, 1.0 / sqrt(size))], net.shape[q])
    y = product(net, path, softmax(net, path, product(net, path, q, k)), v)
    y = net.reshape(path, net.transpose(path, y, [1, 0, 2]), [length * n, width])
    y = net.reshape(path, net.gemm(path + ".out_proj", y, width), [length, n, width])
    return net.transpose(path, y, [1, 0, 2])


def vit_layer(net, path, x, heads, mlp):
    width = net.shape[x][-1]
    y = packed_attention(net, path + ".self_attention", layer_norm(net, path + ".ln_1", x, 1e-6), heads)
    x = net.add(path, y, x)
    y = net.matmul(path + ".mlp.0", layer_norm(net, path + ".ln_2", x, 1e-6), mlp)
    y = net.matmul(path + ".mlp.3", gelu(net, path + ".mlp.1", y), width)
    return net.add(path, x, y)


def vit_b_16():
    net = Net("vit_b_16", opset=17)
    x = net.conv("conv_proj", net.input("input", [1, 3, 224, 224]), 768, 16, 16)
    x = net.transpose("", net.reshape("", x, [1, 768, 196]), [0, 2, 1])
    x = net.concat("", [net.param("class_token", [1, 1, 768]), x], 1)
    x = net.add("encoder", x, net.param("encoder.pos_embedding", [1, 197, 768]))
    for i in range(12):
        x = vit_layer(net, f"encoder.layers.encoder_layer_{i}", x, heads=12, mlp=3072)
    x = net.gather("", layer_norm(net, "encoder.ln", x, 1e-6), 0, 1)
    net.output(net.gemm("heads.head", x, 1000))
    return net


def separate_attention(net, path, x, heads):
    n, length, width = net.shape[x]
    size = width // heads
    q, k, v = (net.transpose(path, net.reshape(path, net.matmul(f"{path}.{name}", x, width), [n, length, heads, size]),
                             perm)
               for name, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])))
    scores = product(net, path, q, k)
    scores = net.op("Div", path, [scores, net.const(path, sqrt(size))], net.shape[scores])
    y = product(net, path, softmax(net, path, scores), v)
    return net.reshape(path, net.transpose(path, y, [0, 2, 1, 3]), [n, length, width])


def bert_layer(net, path, x, heads, mlp):
    width = net.shape[x][-1]
    y = separate_attention(net, path + ".attention.self", x, heads)
    y = net.matmul(path + ".attention.output.dense", y, width)
    x = layer_norm_decomposed(net, path + ".attention.output.LayerNorm", net.add(path, y, x), 1e-12)
    y = gelu(net, path + ".intermediate", net.matmul(path + ".intermediate.dense", x, mlp))
    y = net.matmul(path + ".output.dense", y, width)
    return layer_norm_decomposed(net, path + ".output.LayerNorm", net.add(path, y, x), 1e-12)


def embedding(net, path, indices, rows, width):
    shape = [*net.shape[indices], width]
    return net.op("Gather", path, [net.param(path + ".weight", [rows, width]), indices], shape, axis=0)


def bert_tiny():
    """Two layers of width 128 over a sequence of 128 tokens; every token attends to every other."""
    net, length, width = Net("bert_tiny"), 128, 128
    tokens = net.input("input", [1, length], INT64)
    kinds = net.const("embeddings", [0] * length, [1, length])
    positions = net.const("embeddings", list(range(length)), [1, length])
    x = net.add("embeddings", embedding(net, "embeddings.word_embeddings", tokens, 30522, width),
                embedding(net, "embeddings.token_type_embeddings", kinds, 2, width))
    x = net.add("embeddings", x, embedding(net, "embeddings.position_embeddings", positions, 512, width))
    x = layer_norm_decomposed(net, "embeddings.LayerNorm", x, 1e-12)
    for i in range(2):
        x = bert_layer(net, f"encoder.layer.{i}", x, heads=2, mlp=512)
    net.output(net.tanh("pooler.activation", net.gemm("pooler.dense", net.gather("pooler", x, 0, 1), width)))
    return net


NETS = (vit_b_16, bert_tiny)
