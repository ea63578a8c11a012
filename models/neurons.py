"""Spiking neurons in plain operators, node for node as a PyTorch export leaves them.

One time step is charge (the input current joins the membrane potential), fire (a comparison with
the threshold becomes a spike of 0 or 1) and reset. Names: x input current, v old potential,
h charged potential, s spike. Thresholds are 1, resets are hard to 0, tau is 2.
"""


def binary(net, kind, path, a, b):
    """A node of two inputs of one shape, or of one and a scalar."""
    return net.op(kind, path, [a, b], max(net.shape[a], net.shape[b], key=len))


def charge_if(net, path, x, v):
    return binary(net, "Add", path, v, x)


def charge_lif(net, path, x, v):
    """Training mode: h = v + (x - v) / tau."""
    c = binary(net, "Div", path, binary(net, "Sub", path, x, v), net.const(path, 2.0))
    return binary(net, "Add", path, v, c)


def charge_lif_eval(net, path, x, v):
    """Inference mode subtracts the reset potential, which is 0, all the same."""
    a = binary(net, "Sub", path, v, net.const(path, 0.0))
    c = binary(net, "Div", path, binary(net, "Sub", path, x, a), net.const(path, 2.0))
    return binary(net, "Add", path, v, c)


def cast(net, path, fired):
    return net.op("Cast", path, [fired], net.shape[fired], to=1)


def fire(net, path, h):
    """Training mode; the surrogate gradient leaves no trace."""
    d = binary(net, "Sub", path, h, net.const(path, 1.0))
    path += ".surrogate_function"
    return cast(net, path, binary(net, "GreaterOrEqual", path, d, net.const(path, 0.0)))


def fire_eval(net, path, h):
    return cast(net, path, binary(net, "GreaterOrEqual", path, h, net.const(path, 1.0)))


def unless_fired(net, path, h, s):
    n = net.op("Neg", path, [s], net.shape[s])
    return binary(net, "Mul", path, binary(net, "Add", path, n, net.const(path, 1.0)), h)


def reset(net, path, h, s):
    """Training mode: v = (1 - s) h + s v_reset."""
    kept = unless_fired(net, path, h, s)
    return binary(net, "Add", path, kept, binary(net, "Mul", path, s, net.const(path, 0.0)))


def reset_eval(net, path, h, s):
    at_reset = binary(net, "Mul", path, s, net.const(path, 0.0))
    return binary(net, "Add", path, at_reset, unless_fired(net, path, h, s))
