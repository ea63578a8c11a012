"""The networks of the golden recordings, built from plain PyTorch, with neurons that quack like SpikingJelly's."""
from typing import Callable, NamedTuple, Optional

import torch
from torch import nn


class Spike(torch.autograd.Function):
    """Heaviside step forward, slope of a sigmoid backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x >= 0).to(x)

    @staticmethod
    def backward(ctx, grad):
        s = (ctx.saved_tensors[0] * 4.0).sigmoid_()
        return (1.0 - s) * s * grad * 4.0


class Node(nn.Module):
    def __init__(self, step_mode="s"):
        super().__init__()
        self.step_mode = step_mode
        self.v = 0.0

    def reset(self):
        self.v = 0.0

    def start(self, x):
        if isinstance(self.v, float):
            self.v = torch.full_like(x, self.v)

    def single_step_forward(self, x):
        self.start(x)
        self.v = self.charge(x)
        s = Spike.apply(self.v - 1.0)
        self.v = s * 0.0 + (1.0 - s) * self.v
        return s

    def forward(self, x):
        if self.step_mode == "s":
            return self.single_step_forward(x)
        self.start(x[0])
        return torch.stack([self.single_step_forward(x[t]) for t in range(len(x))])


class IFNode(Node):
    def charge(self, x):
        return self.v + x


class LIFNode(Node):
    def charge(self, x):
        return self.v + (x - (self.v - 0.0)) / 2.0


class ParametricLIFNode(Node):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(0.0))

    def charge(self, x):
        rate = self.w.sigmoid()
        return self.v + (x - (self.v - 0.0)) * rate


def over_time(layer, merge=True):
    """The same layer for [T, N, ...], by the same name; `merge` has it see [T*N, ...]."""

    def forward(self, x):
        y = layer.forward(self, x.flatten(0, 1))
        return y.view(*x.shape[:2], *y.shape[1:])

    return type(layer.__name__, (layer,), {"step_mode": "m", **({"forward": forward} if merge else {})})


class Product(nn.Module):
    """Code without modules, behind a linear layer if there is one."""

    def __init__(self, rows, columns, inner=None):
        super().__init__()
        self.w = nn.Parameter(torch.randn(rows, columns))
        self.l = inner

    def forward(self, x):
        return (x if self.l is None else self.l(x)) @ self.w


class SameShape(Product):
    def forward(self, x):
        y = x * 0.5 + 0.1
        return self.l(x) + y @ self.w


class Addmm(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 4))
        self.b = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return torch.addmm(self.b, x, self.w)


class Bmm(nn.Module):
    def forward(self, x):
        return torch.bmm(x, x.transpose(1, 2))


def frozen(layer):
    return layer.requires_grad_(False)


def sequence(*layers):
    return lambda: nn.Sequential(*[layer() for layer in layers])


def mlp(*, norm=True, first=IFNode, last=None, freeze=lambda layer: layer):
    norm = (lambda: nn.BatchNorm1d(16)) if norm else None
    layers = [lambda: freeze(nn.Linear(8, 16)), norm, first, lambda: nn.Linear(16, 4), last]
    return sequence(*filter(None, layers))


def csnn(*last):
    return sequence(lambda: nn.Conv2d(3, 8, 3, padding=1, bias=False), lambda: nn.BatchNorm2d(8), IFNode,
                    lambda: nn.Conv2d(8, 8, 3, stride=2), lambda: nn.BatchNorm2d(8), LIFNode, nn.Flatten,
                    lambda: nn.Linear(72, 10), *last)


def multistep_csnn():
    conv, norm, flatten = over_time(nn.Conv2d), over_time(nn.BatchNorm2d), over_time(nn.Flatten)
    return nn.Sequential(conv(2, 4, 3, padding=1, bias=False), norm(4), IFNode("m"),
                         conv(4, 8, 3, bias=False), norm(8), LIFNode("m"), flatten(),
                         over_time(nn.Linear, merge=False)(288, 10), IFNode("m"))


def equal_width():
    return nn.Sequential(nn.Linear(8, 8), IFNode(), nn.Linear(8, 8), IFNode(), nn.Linear(8, 8))


def dense(*shape, grad=False):
    return lambda: torch.randn(*shape, requires_grad=grad)


def spikes(*shape):
    return lambda: (torch.rand(*shape) < 0.5).float()


def sgd(**options):
    return lambda params: torch.optim.SGD(params, lr=0.1, **options)


class Case(NamedTuple):
    net: Callable
    input: Callable
    optimizer: Optional[Callable] = None
    backward: bool = False


CASES = {
    "linear_dense": Case(sequence(lambda: nn.Linear(8, 4)), dense(2, 8)),
    "linear_spike": Case(sequence(lambda: nn.Linear(8, 4)), spikes(2, 8)),
    "linear_sequence": Case(sequence(lambda: nn.Linear(16, 4)), dense(2, 10, 16)),
    "conv1d_dense": Case(sequence(lambda: nn.Conv1d(3, 8, 5)), dense(2, 3, 31)),
    "conv2d_dense": Case(sequence(lambda: nn.Conv2d(3, 8, 3, padding=1)), dense(2, 3, 9, 7)),
    "conv2d_spike": Case(sequence(lambda: nn.Conv2d(3, 8, 3)), spikes(2, 3, 8, 8)),
    "conv2d_strided_dilated": Case(
        sequence(lambda: nn.Conv2d(4, 6, (3, 5), stride=(2, 1), padding=(1, 2), dilation=(2, 1))),
        dense(2, 4, 17, 13)),
    "depthwise_conv": Case(sequence(lambda: nn.Conv2d(8, 8, 3, groups=8)), dense(1, 8, 10, 10)),
    "batch_norm1d_spike": Case(sequence(lambda: nn.BatchNorm1d(6)), spikes(4, 6)),
    "batch_norm2d_train": Case(sequence(lambda: nn.BatchNorm2d(5)), dense(3, 5, 4, 4)),
    "if_node": Case(sequence(IFNode), dense(2, 6, 5, 5)),
    "lif_node": Case(sequence(LIFNode), dense(2, 12)),
    "plif_node": Case(sequence(ParametricLIFNode), dense(2, 12)),
    "functional_addmm_spike": Case(Addmm, spikes(3, 8)),
    "functional_bmm": Case(Bmm, dense(2, 5, 7)),
    "functional_mm_train": Case(lambda: Product(8, 4), dense(3, 8), sgd()),
    "mixed_module_and_mm": Case(lambda: Product(8, 4, nn.Linear(8, 8, bias=False)), dense(3, 8, grad=True),
                                backward=True),
    "same_shape_module_first": Case(lambda: SameShape(8, 8, nn.Linear(8, 8, bias=False)), spikes(4, 8)),
    "linear_train_sgd": Case(sequence(lambda: nn.Linear(8, 4)), dense(2, 8), sgd()),
    "linear_train_input_grad": Case(sequence(lambda: nn.Linear(8, 4, bias=False)), dense(3, 8, grad=True),
                                    backward=True),
    "mlp_train_sgd_wd": Case(mlp(first=None), dense(4, 8), sgd(weight_decay=1e-4)),
    "mlp_snn": Case(mlp(last=LIFNode), dense(2, 8)),
    "mlp_snn_frozen_first": Case(mlp(norm=False, freeze=frozen), dense(2, 8), torch.optim.Adam),
    "mlp_snn_train_adam": Case(mlp(), dense(2, 8), torch.optim.Adam),
    "mlp_snn_train_sgd_momentum": Case(mlp(norm=False, first=LIFNode), spikes(4, 8), sgd(momentum=0.9)),
    "equal_width_mlp_train": Case(equal_width, dense(8, 8), torch.optim.Adam),
    "csnn_small": Case(csnn(IFNode), dense(2, 3, 8, 8)),
    "csnn_train_adam": Case(csnn(), dense(2, 3, 8, 8), torch.optim.Adam),
    "multistep_csnn": Case(multistep_csnn, spikes(4, 2, 2, 8, 8)),
    "multistep_csnn_train": Case(multistep_csnn, spikes(3, 2, 2, 8, 8), torch.optim.Adam),
}
