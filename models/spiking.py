"""Spiking networks as exporters leave them, each in another way: the steps unrolled, the state as
inputs and outputs of a single step, and a Loop over time in every layer of neurons.
"""
import multistep
import neurons
from builder import BOOL, Net


class Unrolled:
    """Layers of LIF neurons, called once per step; potentials start as constants of zeros."""

    def __init__(self, net, charge, fire, reset):
        self.net, self.potentials = net, {}
        self.charge, self.fire, self.reset = charge, fire, reset

    def __call__(self, path, x, last):
        v = self.potentials.get(path) or self.net.zeros(path, self.net.shape[x])
        h = self.charge(self.net, path, x, v)
        s = self.fire(self.net, path, h)
        if not last:  # nobody reads the potential after the last step
            self.potentials[path] = self.reset(self.net, path, h, s)
        return s


def csnn_steps(net, lif, convs):
    """Four steps on the same image; gives the firing rate of the output neurons."""
    image, steps, rate = net.input("input", [1, 1, 28, 28]), 4, None
    for t in range(steps):
        last = t == steps - 1
        x = net.max_pool("layer.3", lif("layer.2", convs[0](image), last), 2)
        x = net.max_pool("layer.7", lif("layer.6", convs[1](x), last), 2)
        x = lif("layer.10", net.matmul("layer.9", net.flatten("layer.8", x), 128 * 4 * 4, bias=False), last)
        x = lif("layer.12", net.matmul("layer.11", x, 10, bias=False), last)
        rate = neurons.binary(net, "Add", "", x, net.const("", 0.0) if rate is None else rate)
    net.output(neurons.binary(net, "Div", "", rate, net.const("", float(steps))))
    return net


def csnn():
    """Exported for training: every step computes every layer, with the same parameters."""
    net = Net("csnn")

    def conv_bn(conv, bn):
        return lambda x: net.batch_norm(bn, net.conv(conv, x, 128, 3, 1, 1, bias=False), training=True)

    lif = Unrolled(net, neurons.charge_lif, neurons.fire, neurons.reset)
    return csnn_steps(net, lif, (conv_bn("layer.0", "layer.1"), conv_bn("layer.4", "layer.5")))


def csnn_folded():
    """Exported for inference: batch norm is folded into each step's copy of the weights, equal
    copies are found to be one, and so is the first convolution, which sees the same image."""
    net, currents = Net("csnn_folded", identities=True), []

    def first(image):
        if not currents:
            currents.append(net.conv("layer.0", image, 128, 3, 1, 1))
        return currents[0]

    lif = Unrolled(net, neurons.charge_lif_eval, neurons.fire_eval, neurons.reset_eval)
    return csnn_steps(net, lif, (first, lambda x: net.conv("layer.4", x, 128, 3, 1, 1)))


def lif_step(net, path, x):
    """One step; the potential is an input and an output of the graph."""
    v = net.input(path + ".v", net.shape[x])
    h = neurons.charge_lif(net, path, x, v)
    s = neurons.fire(net, path, h)
    net.output(neurons.reset(net, path, h, s), path + ".v_next")
    return s


def spiking_vgg11():
    """A single step; whoever runs it carries the potentials to the next."""
    net = Net("spiking_vgg11")
    x, i = net.input("input", [1, 3, 224, 224]), 0
    for channels in (64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"):
        if channels == "M":
            x, i = net.max_pool(f"features.{i}", x, 2), i + 1
        else:
            x = net.conv(f"features.{i}", x, channels, 3, 1, 1)
            x = net.batch_norm(f"features.{i + 1}", x, training=True)
            x, i = lif_step(net, f"features.{i + 2}", x), i + 3
    x = net.flatten("", net.average_pool("avgpool", x, 1))
    for i in (0, 3):
        x = lif_step(net, f"classifier.{i + 1}", net.gemm(f"classifier.{i}", x, 4096))
    net.output(net.gemm("classifier.6", x, 1000))
    return net


class Loops:
    """The layers of a multi-step network with integrate-and-fire neurons."""

    def __init__(self, net):
        self.net = net
        self.going = net.op("Constant", "", [], [], value=net.tensor(BOOL, [], [True]))

    def conv_bn(self, path, conv, bn, x, channels, kernel, stride=1, pad=0):
        def layer(y):
            return self.net.batch_norm(path + bn, self.net.conv(path + conv, y, channels, kernel, stride, pad,
                                                                bias=False))

        return multistep.stateless(self.net, x, layer)

    def neurons(self, path, x):
        return multistep.neuron_loop(self.net, path, x, self.going)

    def block(self, path, x, channels, stride):
        y = self.neurons(path + "sn1", self.conv_bn(path, "conv1", "bn1", x, channels, 3, stride, 1))
        y = self.conv_bn(path, "conv2", "bn2", y, channels, 3, 1, 1)
        if self.net.shape[x] != self.net.shape[y]:
            x = self.conv_bn(path, "downsample.0", "downsample.1", x, channels, 1, stride)
        return self.neurons(path + "sn2", self.net.add(path + "sn2", y, x))


def spiking_resnet18():
    """Four steps on the same image; time is an axis of every tensor."""
    net = Net("spiking_resnet18")
    layers = Loops(net)
    x = multistep.repeat(net, net.input("input", [1, 3, 224, 224]), 4)
    x = layers.neurons("sn1", layers.conv_bn("", "conv1", "bn1", x, 64, 7, 2, 3))
    x = multistep.stateless(net, x, lambda y: net.max_pool("maxpool", y, 3, 2, 1))
    for i in range(4):
        for j in range(2):
            x = layers.block(f"layer{i + 1}.{j}.", x, 64 << i, 2 if i and not j else 1)
    x = multistep.stateless(net, x, lambda y: net.flatten("", net.global_average_pool("avgpool", y)))
    x = net.matmul("fc", x, 1000)
    net.output(net.op("ReduceMean", "", [x], [1, 1000], axes=[0], keepdims=0))
    return net


NETS = (csnn, csnn_folded, spiking_vgg11, spiking_resnet18)
