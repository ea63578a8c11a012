"""Convolutional networks as torchvision or their papers define them.

Batch norm is kept as a node of its own (an exporter in inference mode would fold it into the
convolution), so that the same files serve estimates of a training step.
"""
from builder import Net


def conv_bn(net, conv, bn, x, channels, kernel, stride=1, pad=0, groups=1):
    return net.batch_norm(bn, net.conv(conv, x, channels, kernel, stride, pad, groups, bias=False))


def basic_block(net, path, x, channels, stride):
    y = conv_bn(net, f"{path}.conv1", f"{path}.bn1", x, channels, 3, stride, 1)
    y = net.relu(f"{path}.relu", y)
    return conv_bn(net, f"{path}.conv2", f"{path}.bn2", y, channels, 3, 1, 1)


def bottleneck(net, path, x, channels, stride):
    """The stride sits on the 3x3 convolution, as in torchvision's "v1.5"."""
    y = net.relu(f"{path}.relu", conv_bn(net, f"{path}.conv1", f"{path}.bn1", x, channels, 1))
    y = net.relu(f"{path}.relu", conv_bn(net, f"{path}.conv2", f"{path}.bn2", y, channels, 3, stride, 1))
    return conv_bn(net, f"{path}.conv3", f"{path}.bn3", y, 4 * channels, 1)


def residual(net, path, x, block, channels, stride):
    y = block(net, path, x, channels, stride)
    if net.shape[x] != net.shape[y]:
        x = conv_bn(net, f"{path}.downsample.0", f"{path}.downsample.1", x, net.shape[y][1], 1, stride)
    return net.relu(f"{path}.relu", net.add(path, y, x))


def resnet(name, block, depths):
    net = Net(name)
    x = net.input("input", [1, 3, 224, 224])
    x = net.relu("relu", conv_bn(net, "conv1", "bn1", x, 64, 7, 2, 3))
    x = net.max_pool("maxpool", x, 3, 2, 1)
    for i, depth in enumerate(depths):
        for j in range(depth):
            x = residual(net, f"layer{i + 1}.{j}", x, block, 64 << i, 2 if i and not j else 1)
    x = net.flatten("", net.global_average_pool("avgpool", x))
    net.output(net.gemm("fc", x, 1000))
    return net


def resnet18():
    return resnet("resnet18", basic_block, [2, 2, 2, 2])


def resnet50():
    return resnet("resnet50", bottleneck, [3, 4, 6, 3])


def inverted_residual(net, path, x, channels, stride, expand):
    c, y, i = net.shape[x][1], x, 0
    if expand != 1:
        y = conv_bn(net, f"{path}.conv.0.0", f"{path}.conv.0.1", y, c * expand, 1)
        y, i = net.clip6(f"{path}.conv.0.2", y), 1
    stem = f"{path}.conv.{i}"
    y = net.clip6(f"{stem}.2", conv_bn(net, f"{stem}.0", f"{stem}.1", y, c * expand, 3, stride, 1, groups=c * expand))
    y = conv_bn(net, f"{path}.conv.{i + 1}", f"{path}.conv.{i + 2}", y, channels, 1)
    return net.add(path, x, y) if stride == 1 and c == channels else y


def mobilenet_v2():
    net = Net("mobilenet_v2")
    x = net.input("input", [1, 3, 224, 224])
    x = net.clip6("features.0.2", conv_bn(net, "features.0.0", "features.0.1", x, 32, 3, 2, 1))
    n = 1
    for expand, channels, depth, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                            (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for j in range(depth):
            x = inverted_residual(net, f"features.{n}", x, channels, 1 if j else stride, expand)
            n += 1
    x = net.clip6("features.18.2", conv_bn(net, "features.18.0", "features.18.1", x, 1280, 1))
    x = net.flatten("", net.global_average_pool("", x))
    net.output(net.gemm("classifier.1", x, 1000))
    return net


def vgg11():
    net = Net("vgg11")
    x = net.input("input", [1, 3, 224, 224])
    i = 0
    for channels in (64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"):
        if channels == "M":
            x, i = net.max_pool(f"features.{i}", x, 2), i + 1
        else:
            x = net.relu(f"features.{i + 1}", net.conv(f"features.{i}", x, channels, 3, 1, 1))
            i += 2
    x = net.flatten("", net.average_pool("avgpool", x, 1))
    x = net.relu("classifier.1", net.gemm("classifier.0", x, 4096))
    x = net.relu("classifier.4", net.gemm("classifier.3", x, 4096))
    net.output(net.gemm("classifier.6", x, 1000))
    return net


def alexnet():
    """One column ("One weird trick"), as torchvision has it; not the paper's two with groups."""
    net = Net("alexnet")
    x = net.input("input", [1, 3, 224, 224])
    x = net.relu("features.1", net.conv("features.0", x, 64, 11, 4, 2))
    x = net.max_pool("features.2", x, 3, 2)
    x = net.relu("features.4", net.conv("features.3", x, 192, 5, 1, 2))
    x = net.max_pool("features.5", x, 3, 2)
    x = net.relu("features.7", net.conv("features.6", x, 384, 3, 1, 1))
    x = net.relu("features.9", net.conv("features.8", x, 256, 3, 1, 1))
    x = net.relu("features.11", net.conv("features.10", x, 256, 3, 1, 1))
    x = net.max_pool("features.12", x, 3, 2)
    x = net.flatten("", net.average_pool("avgpool", x, 1))
    x = net.relu("classifier.2", net.gemm("classifier.1", x, 4096))
    x = net.relu("classifier.5", net.gemm("classifier.4", x, 4096))
    net.output(net.gemm("classifier.6", x, 1000))
    return net


def fire(net, path, x, squeeze, expand):
    x = net.relu(f"{path}.squeeze_activation", net.conv(f"{path}.squeeze", x, squeeze, 1))
    a = net.relu(f"{path}.expand1x1_activation", net.conv(f"{path}.expand1x1", x, expand, 1))
    b = net.relu(f"{path}.expand3x3_activation", net.conv(f"{path}.expand3x3", x, expand, 3, 1, 1))
    return net.concat(path, [a, b], 1)


def squeezenet1_1():
    net = Net("squeezenet1_1")
    x = net.input("input", [1, 3, 224, 224])
    x = net.relu("features.1", net.conv("features.0", x, 64, 3, 2))
    plan = ("M", (16, 64), (16, 64), "M", (32, 128), (32, 128), "M", (48, 192), (48, 192), (64, 256), (64, 256))
    for i, layer in enumerate(plan, 2):
        path = f"features.{i}"
        x = net.max_pool(path, x, 3, 2, ceil=1) if layer == "M" else fire(net, path, x, *layer)
    x = net.relu("classifier.2", net.conv("classifier.1", x, 1000, 1))
    net.output(net.flatten("", net.global_average_pool("classifier.3", x)))
    return net


def lenet5(name="lenet5", batch=1):
    """LeNet-5 with average pooling for subsampling and a linear output layer."""
    net = Net(name)
    x = net.input("input", [batch, 1, 32, 32])
    for i, channels in ((1, 6), (3, 16)):
        x = net.tanh(f"c{i}", net.conv(f"c{i}", x, channels, 5))
        x = net.average_pool(f"s{i + 1}", x, 2)
    x = net.flatten("", net.tanh("c5", net.conv("c5", x, 120, 5)))
    net.output(net.gemm("output", net.tanh("f6", net.gemm("f6", x, 84)), 10))
    return net


def lenet5_dynamic():
    return lenet5("lenet5_dynamic", "N")


def double_conv(net, path, x, channels):
    for i in (1, 2):
        x = net.relu(f"{path}.relu{i}", conv_bn(net, f"{path}.conv{i}", f"{path}.norm{i}", x, channels, 3, 1, 1))
    return x


def unet():
    """U-Net with padded convolutions and batch norm, 32 features at full resolution."""
    net = Net("unet")
    x = net.input("input", [1, 3, 256, 256])
    skips = []
    for i in range(4):
        skips.append(double_conv(net, f"encoder{i + 1}", x, 32 << i))
        x = net.max_pool(f"pool{i + 1}", skips[-1], 2)
    x = double_conv(net, "bottleneck", x, 512)
    for i in (3, 2, 1, 0):
        x = net.concat("", [net.conv_transpose(f"upconv{i + 1}", x, 32 << i, 2, 2), skips[i]], 1)
        x = double_conv(net, f"decoder{i + 1}", x, 32 << i)
    x = net.conv("conv", x, 1, 1)
    net.output(net.op("Sigmoid", "", [x], net.shape[x]))
    return net


NETS = (resnet18, resnet50, mobilenet_v2, vgg11, alexnet, squeezenet1_1, lenet5, lenet5_dynamic, unet)
