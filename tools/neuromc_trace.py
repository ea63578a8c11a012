#!/usr/bin/env python3
"""Records a run of PyTorch code as a trace that `neuromc estimate` reads.

From Python:

    from neuromc_trace import Recorder

    with Recorder("run.trace.jsonl", net, optimizer) as rec:
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()

From a shell: neuromc_trace.py --help

What is recorded: every call of a convolution, linear, batch norm or spiking module and its backward
pass, every aten op that runs, and every step of the optimizer. Needs PyTorch 1.13 or newer.
"""
import argparse
import contextlib
import functools
import importlib
import importlib.util
import json
import math
import os
import sys
import threading
import traceback
import types

try:
    import torch
except ImportError:
    if __name__ != "__main__":
        raise
    sys.exit("neuromc_trace: PyTorch is not installed (on Debian: apt install python3-torch)")
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["Recorder", "RecorderError"]

PRODUCER = f"neuromc_trace (PyTorch {torch.__version__})"
CORE_TYPES = ("fp_soma", "fp_bn", "bp_grad", "bp_bn", "bp_grad_opt", "wg", "ann_fe", "ann_be", "ann_we",
              "ann_bn", "ann_bn_bp")
LAYERS = ((nn.Conv1d, "conv1d"), (nn.Conv2d, "conv2d"), (nn.Linear, "linear"),
          (nn.BatchNorm1d, "batch_norm1d"), (nn.BatchNorm2d, "batch_norm2d"),
          (nn.BatchNorm3d, "batch_norm3d"))
# AdamW first: in some versions of torch it is a kind of Adam.
OPTIMIZERS = ((torch.optim.AdamW, "adamw"), (torch.optim.Adam, "adam"), (torch.optim.SGD, "sgd"))


class RecorderError(Exception):
    """What cannot be recorded, or where the trace cannot be written."""


# Values as the format writes them


def is_spike(x):
    """True when x has values and all of them are 0 or 1."""
    if x.numel() == 0:
        return False
    try:
        return bool(((x == 0) | (x == 1)).all())
    except RuntimeError:  # no values to compare: meta, sparse, quantized, 8-bit float
        return False


def describe_tensor(x):
    if not isinstance(x, torch.Tensor):
        return None
    return {"shape": list(x.shape), "dtype": str(x.dtype).replace("torch.", ""), "spike": is_spike(x),
            "requires_grad": x.requires_grad}


def describe_value(x):
    """Tensors, numbers and lists of them; null stands for all else (dtypes, devices, infinity)."""
    if isinstance(x, torch.Tensor):
        return describe_tensor(x)
    if isinstance(x, (list, tuple)):
        return [describe_value(v) for v in x]
    if isinstance(x, int) or (isinstance(x, float) and math.isfinite(x)):
        return x
    return None


def describe_parameter(name, p):
    if isinstance(p, nn.parameter.UninitializedParameter):
        raise RecorderError(f"parameter {name} has no shape yet: run the module once before recording it")
    return {"name": name, "shape": list(p.shape), "requires_grad": p.requires_grad}


def module_kind(module, soma_types=()):
    """The module's type in the format, or None for a module that has no event of its own.

    A spiking module is known by what it has: a membrane `v`, and `step_mode` or `single_step_forward`.
    """
    for layer, kind in LAYERS:
        if isinstance(module, layer):
            return kind
    if isinstance(module, tuple(soma_types)):
        return "soma"
    steps = hasattr(module, "step_mode") or callable(getattr(module, "single_step_forward", None))
    return "soma" if steps and hasattr(module, "v") else None


def describe_module(module, kind, name):
    d = {"type": kind, "class": type(module).__name__, "name": name,
         "step_mode": "m" if getattr(module, "step_mode", "s") == "m" else "s"}
    if kind in ("conv1d", "conv2d"):
        d.update(in_channels=module.in_channels, out_channels=module.out_channels,
                 kernel_size=list(module.kernel_size), groups=module.groups, stride=list(module.stride),
                 dilation=list(module.dilation))
    elif kind == "linear":
        d.update(in_features=module.in_features, out_features=module.out_features)
    weight = None if kind == "soma" else getattr(module, "weight", None)
    if isinstance(weight, torch.Tensor):
        d["weight"] = {"shape": list(weight.shape), "requires_grad": weight.requires_grad}
    return d


def label(name):
    return f"module {name}" if name else "the model"


def find_modules(model, soma_types):
    """(module, type, name) of those that have events."""
    found = []
    for name, module in model.named_modules():
        where = f"{label(name)} ({type(module).__name__})"
        if isinstance(module, torch.jit.ScriptModule):
            raise RecorderError(f"{where} is TorchScript and cannot be watched: record what it was made from")
        if hasattr(module, "_orig_mod"):
            raise RecorderError(f"{where} is compiled and cannot be watched: record its _orig_mod")
        kind = module_kind(module, soma_types)
        if kind:
            found.append((module, kind, name))
    return found


def make_header(model, parameters, core_type, note):
    named = list(model.named_parameters()) if model is not None else []
    named += (parameters or {}).items()
    header = {"format": "neuromc-trace", "version": 1, "producer": PRODUCER, "core_type": core_type,
              "parameters": [describe_parameter(*item) for item in named]}
    return {**header, "note": note} if note else header


def optimizer_name(optimizer):
    for cls, name in OPTIMIZERS:
        if isinstance(optimizer, cls):
            return name
    raise RecorderError(f"{type(optimizer).__name__} is not an optimizer the format knows (Adam, AdamW, SGD)")


def describe_group(optimizer, group):
    momentum = float(group.get("momentum", 0.0))

    def describe(p):
        buffer = optimizer.state.get(p, {}).get("momentum_buffer")
        return {"shape": list(p.shape), "has_grad": p.grad is not None,
                "has_momentum_buffer": momentum > 0 and buffer is not None}

    return {"momentum": momentum, "weight_decay": float(group.get("weight_decay", 0.0)),
            "dampening": float(group.get("dampening", 0.0)), "nesterov": bool(group.get("nesterov", False)),
            "maximize": bool(group.get("maximize", False)), "params": [describe(p) for p in group["params"]]}


# Where gradients pass


class Tap(torch.autograd.Function):
    """Hands its input on, and shows `saw` the gradient that comes back.

    It copies, unlike the hooks of nn.Module, which return a view that `out += x` must not touch.
    """

    @staticmethod
    def forward(ctx, x, saw):
        ctx.saw = saw
        ctx.set_materialize_grads(False)
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        if grad is not None:
            ctx.saw(grad)
        return grad, None


class Call:
    """One call of a module: puts taps around it and writes its backward event."""

    def __init__(self, recorder, module, kind, name):
        self.recorder, self.module, self.kind, self.name = recorder, module, kind, name
        self.taps_input = False
        self.output = self.grad_output = None

    def tap_input(self, x):
        self.taps_input = True
        return Tap.apply(x, self.saw_grad_input)

    def saw_grad_output(self, grad):
        if not self.recorder._recording():
            return
        with self.recorder._quiet():
            self.grad_output = describe_tensor(grad)
        if self.taps_input:
            self.recorder._awaiting[id(self)] = self
        else:
            self.write(None)

    def saw_grad_input(self, grad):
        self.recorder._awaiting.pop(id(self), None)
        if self.recorder._recording() and self.output:
            self.write(grad)

    def write(self, grad_input):
        self.recorder._write_backward(self, grad_input)
        self.grad_output = None

    def zero_grad_output(self):
        """Gradient may reach a neuron through its membrane alone; that of its output is then zero."""
        return dict(self.output, spike=0 not in self.output["shape"], requires_grad=False)


def first_of(out):
    return out[0] if isinstance(out, (tuple, list)) and out else out


def with_first(out, y):
    """`out` with y in the place of its first element, or y where `out` is a plain tensor."""
    if hasattr(out, "_replace"):
        return out._replace(**{out._fields[0]: y})
    if isinstance(out, (tuple, list)):
        return type(out)([y, *out[1:]])
    return y


class DispatchMode(TorchDispatchMode):
    """Sees every aten op. Torch takes the mode off while it runs, so that it does not see its own."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        self.recorder._write_aten(func, args, out)
        return out


# The file


@contextlib.contextmanager
def complete_or_absent(path):
    """A file to write that gets its name when it is complete, and vanishes when an exception ends it."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise RecorderError(f"cannot write {path}: not a regular file")
    partial = f"{target}.{os.getpid()}.partial"
    try:
        out = open(partial, "x", encoding="utf-8", newline="\n")
    except OSError as e:
        raise RecorderError(f"cannot write {path}: {e.strerror}") from e
    try:
        with out:
            yield out
        os.replace(partial, target)
    except BaseException:
        os.unlink(partial)
        raise


class Quiet(threading.local):
    """Depth of the recorder's own work in this thread (CUDA runs backward in a thread of its own)."""

    depth = 0


class Recorder:
    """Context manager that writes what runs inside it to `path`.

    model       an nn.Module, or None for code without modules
    optimizer   an optimizer or a list of them: Adam, AdamW or SGD
    parameters  named tensors for the header where there is no model: {"w": w}
    core_type   core of the header, informative
    note        free text of the header
    soma        classes of spiking modules that do not have the attributes of one

    The file appears at `path` when the block ends, and not at all if an exception ends it.
    """

    def __init__(self, path, model=None, optimizer=None, *, parameters=None, core_type="fp_soma", note=None,
                 soma=()):
        if core_type not in CORE_TYPES:
            raise RecorderError(f"core type {core_type} is none of {', '.join(CORE_TYPES)}")
        self.path = path
        self.events = 0
        self._optimizers = optimizer if isinstance(optimizer, (list, tuple)) else [optimizer] if optimizer else []
        for each in self._optimizers:
            optimizer_name(each)
        self._modules = find_modules(model, soma) if model is not None else []
        self._header = make_header(model, parameters, core_type, note)
        self._file = None
        self._stage = None
        self._backward_depth = 0
        self._suspended = False
        self._own_work = Quiet()
        self._calls = []
        self._awaiting = {}

    def __enter__(self):
        with contextlib.ExitStack() as undo:
            self._file = undo.enter_context(complete_or_absent(self.path))
            undo.callback(self._stop)
            self.events = 0
            self._write_line(self._header)
            for module, kind, name in self._modules:
                undo.callback(module.register_forward_pre_hook(self._before(module, kind, name)).remove)
                undo.callback(module.register_forward_hook(self._after).remove)
            for optimizer in self._optimizers:
                undo.enter_context(self._watch_optimizer(optimizer))
            undo.enter_context(self._watch_autograd())
            undo.enter_context(DispatchMode(self))
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *exc):
        return self._undo.__exit__(*exc)

    def _stop(self):
        self._write_awaiting()
        self._file = None
        self._calls.clear()

    # Stages

    @contextlib.contextmanager
    def stage(self, name):
        """Names what runs inside.

        Without one: "forward", in a backward pass "backward", in a step of the optimizer "optimizer".
        """
        if self._file is None:
            raise RecorderError("stage() is for use inside the recorder's with block")
        if self._stage is not None:
            raise RecorderError(f"stage {name} inside stage {self._stage}: stages do not nest")
        self._stage = name
        try:
            yield self
        finally:
            self._stage = None

    @contextlib.contextmanager
    def suspend(self):
        """What runs inside is not recorded: a loss, a metric, the making of a batch."""
        with self._suspended_as(True):
            yield self

    @contextlib.contextmanager
    def _suspended_as(self, suspended):
        before, self._suspended = self._suspended, suspended
        try:
            yield
        finally:
            self._suspended = before

    def _current_stage(self):
        return self._stage or ("backward" if self._backward_depth else "forward")

    @contextlib.contextmanager
    def _watch_autograd(self):
        saved = torch.autograd.backward, torch.autograd.grad
        torch.autograd.backward, torch.autograd.grad = map(self._in_backward, saved)
        try:
            yield
        finally:
            torch.autograd.backward, torch.autograd.grad = saved

    def _in_backward(self, function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            self._backward_depth += 1
            try:
                result = function(*args, **kwargs)
                if self._backward_depth == 1:
                    self._write_awaiting()
                return result
            finally:
                self._backward_depth -= 1

        return run

    # Recording

    def _recording(self):
        return self._file is not None and not self._suspended and not self._own_work.depth

    @contextlib.contextmanager
    def _quiet(self):
        """Ops of the recorder itself run inside."""
        self._own_work.depth += 1
        try:
            yield
        finally:
            self._own_work.depth -= 1

    def _write_line(self, event):
        self._file.write(json.dumps(event, separators=(",", ":"), allow_nan=False) + "\n")

    def _write(self, event, stage=None, **fields):
        self._write_line({"event": event, "stage": stage or self._current_stage(), **fields})
        self.events += 1

    def _write_aten(self, func, args, out):
        if self._recording():
            self._write("aten", op=str(func), args=describe_value(args), out=describe_value(out))

    def _before(self, module, kind, name):
        def hook(_, args):
            if not self._recording():
                return None
            call = Call(self, module, kind, name)
            self._calls.append((call, args))
            x = first_of(args)
            if not isinstance(x, torch.Tensor):
                raise RecorderError(f"{label(name)} needs a tensor as its first argument, not given by name")
            if not (torch.is_grad_enabled() and x.requires_grad):
                return None
            with self._quiet():
                return (call.tap_input(x), *args[1:])

        return hook

    def _after(self, module, _, out):
        y = first_of(out)
        if not self._recording() or not isinstance(y, torch.Tensor):
            return None
        call, args = self._pop_call(module)
        if call is None:  # the recording began inside it
            return None
        with self._quiet():
            call.output = describe_tensor(y)
            self._write("module.forward", module=describe_module(module, call.kind, call.name),
                        input=describe_tensor(args[0]), output=call.output)
            if y.requires_grad and torch.is_grad_enabled():
                return with_first(out, Tap.apply(y, call.saw_grad_output))
        return None

    def _pop_call(self, module):
        """The open call of this module. Calls above it were left by an exception that the model caught."""
        for i in reversed(range(len(self._calls))):
            call, args = self._calls[i]
            if call.module is module:
                del self._calls[i:]
                return call, args
        return None, None

    def _write_backward(self, call, grad_input):
        with self._quiet():
            self._write("module.backward", module=describe_module(call.module, call.kind, call.name),
                        grad_input=describe_tensor(grad_input),
                        grad_output=call.grad_output or call.zero_grad_output())

    def _write_awaiting(self):
        """Calls whose input got no gradient, because nobody asked for it."""
        waiting, self._awaiting = self._awaiting, {}
        for call in waiting.values():
            call.write(None)

    # The optimizer

    @contextlib.contextmanager
    def _watch_optimizer(self, optimizer):
        own = {name: vars(optimizer)[name] for name in ("step", "zero_grad") if name in vars(optimizer)}
        optimizer.zero_grad = self._suspended_call(optimizer.zero_grad)
        # Learning rate schedulers wrap it and look for __self__: it must be a bound method.
        optimizer.step = watched = types.MethodType(self._recorded_step(optimizer.step), optimizer)
        try:
            yield
        finally:
            del optimizer.zero_grad
            if optimizer.step == watched:  # else a scheduler has wrapped it since
                del optimizer.step
            else:
                own.pop("step", None)
            vars(optimizer).update(own)

    def _suspended_call(self, function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            with self.suspend():
                return function(*args, **kwargs)

        return run

    def _recorded_step(self, step):
        """The step in terms of its parameters, in place of the aten ops of one implementation of it."""

        @functools.wraps(step)
        def run(optimizer, closure=None, *args, **kwargs):
            outside = self._suspended

            def evaluate():
                with self._suspended_as(outside):
                    loss = closure()
                    self._write_step(optimizer)
                return loss

            if closure is None:
                self._write_step(optimizer)
            with self.suspend():
                return step(closure and evaluate, *args, **kwargs)

        return run

    def _write_step(self, optimizer):
        if self._recording():
            self._write("optimizer.step", stage=self._stage or "optimizer", optimizer=optimizer_name(optimizer),
                        groups=[describe_group(optimizer, group) for group in optimizer.param_groups])


# The command line

USAGE = """\
examples:
  inference of one image:
    neuromc_trace.py --module torchvision.models:resnet18 --input 1,3,224,224 \\
        -o resnet18.trace.jsonl
  a training step of a spiking network over four time steps:
    neuromc_trace.py --module nets.py:csnn --input 8,2,32,32 --spikes 0.2 \\
        --time-steps 4 --optimizer sgd --momentum 0.9 -o csnn.trace.jsonl
  what it costs:
    neuromc estimate csnn.trace.jsonl

Stages are called forward, backward and optimizer; with several batches or time
steps forward_b0_t2 and the like, which tells neuromc that weights already on
chip are used again.
"""


def shape(text):
    try:
        dims = [int(d) for d in text.split(",")]
    except ValueError:
        dims = []
    if not dims or min(dims) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a shape like 1,3,32,32")
    return dims


def dtype(text):
    found = getattr(torch, text, None)
    if not isinstance(found, torch.dtype):
        raise argparse.ArgumentTypeError(f"{text!r} is not a dtype like float32")
    return found


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def rate(text):
    with contextlib.suppress(ValueError):
        if 0 <= float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a rate from 0 to 1")


def amount(text):
    with contextlib.suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")


def make_parser():
    p = argparse.ArgumentParser(
        prog="neuromc_trace.py", usage="neuromc_trace.py --module WHERE --input SHAPE -o FILE [options]",
        description="Runs a PyTorch module on random input and records a trace for neuromc estimate.",
        epilog=USAGE, formatter_class=argparse.RawDescriptionHelpFormatter)
    g = p.add_argument_group("what runs")
    g.add_argument("--module", required=True, metavar="WHERE",
                   help="pkg.module:name or file.py:name, where name is a module or a function that returns one")
    g.add_argument("--input", required=True, action="append", type=shape, metavar="SHAPE",
                   help="shape of an input, batch first: 1,3,32,32; once per argument of the module")
    g.add_argument("--input-dtype", action="append", type=dtype, metavar="DTYPE",
                   help="dtype of the inputs, once for all or once for each (float32); "
                        "whole numbers are drawn from 0 and 1")
    g.add_argument("--spikes", type=rate, metavar="RATE", help="inputs of 0 and 1, where RATE of them are 1")
    g.add_argument("--batch", type=positive, default=1, metavar="N",
                   help="N batches one after the other; state is reset between them")
    g.add_argument("--time-steps", type=positive, default=1, metavar="T",
                   help="call the module T times per batch, as a single-step spiking network needs; "
                        "a multi-step one has T in the shape of its input instead")
    g.add_argument("--device", default="cpu", help="where it runs (cpu)")
    g.add_argument("--seed", type=int, default=0, help="seed of weights and inputs (0)")
    g = p.add_argument_group("training")
    g.add_argument("--backward", action="store_true",
                   help="a backward pass too, from a mean squared error to a random target")
    g.add_argument("--optimizer", choices=["sgd", "adam", "adamw"],
                   help="a step of this optimizer too; implies --backward")
    g.add_argument("--momentum", type=amount, metavar="M", help="momentum of sgd (0)")
    g.add_argument("--weight-decay", type=amount, default=0.0, metavar="D", help="weight decay of the optimizer (0)")
    g = p.add_argument_group("the trace")
    g.add_argument("-o", "--output", required=True, metavar="FILE",
                   help="trace to write; it appears when the run is complete")
    g.add_argument("--soma", action="append", default=[], metavar="WHERE",
                   help="pkg.module:Class of spiking modules without the attributes `v` and `step_mode`")
    g.add_argument("--core-type", choices=CORE_TYPES, default="fp_soma", metavar="NAME",
                   help="core type of the header (fp_soma)")
    g.add_argument("--note", metavar="TEXT", help="note of the header")
    return p


def parse_arguments(argv):
    p = make_parser()
    args = p.parse_args(argv)
    dtypes = args.input_dtype or [torch.float32]
    if len(dtypes) not in (1, len(args.input)):
        p.error(f"{len(args.input)} of --input but {len(dtypes)} of --input-dtype")
    args.input_dtype = dtypes * (len(args.input) // len(dtypes))
    if args.momentum is not None and args.optimizer != "sgd":
        p.error("--momentum belongs to --optimizer sgd")
    if args.weight_decay and not args.optimizer:
        p.error("--weight-decay needs --optimizer")
    args.backward = args.backward or args.optimizer is not None
    return args


def load(where):
    """What `pkg.module:name` or `file.py:name` names."""
    source, colon, name = where.rpartition(":")
    if not colon or not source or not name:
        raise RecorderError(f"{where!r} is not of the form pkg.module:name or file.py:name")
    try:
        if source.endswith(".py"):
            spec = importlib.util.spec_from_file_location(os.path.basename(source)[:-3], source)
            found = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = found
            spec.loader.exec_module(found)
        else:
            found = importlib.import_module(source)
        return functools.reduce(getattr, name.split("."), found)
    except (ImportError, AttributeError, OSError) as e:
        raise RecorderError(f"cannot load {where}: {e}") from e


def load_model(where, device):
    found = load(where)
    model = found if isinstance(found, nn.Module) else found() if callable(found) else found
    if not isinstance(model, nn.Module):
        raise RecorderError(f"{where} gives {type(model).__name__}, not a torch.nn.Module")
    return model.to(device)


def make_optimizer(args, model):
    params = [p for p in model.parameters() if p.requires_grad]
    if args.optimizer is None:
        return None
    if not params:
        raise RecorderError("the module has no trainable parameters for an optimizer")
    if args.optimizer == "sgd":
        return torch.optim.SGD(params, lr=1e-3, momentum=args.momentum or 0.0, weight_decay=args.weight_decay)
    cls = torch.optim.Adam if args.optimizer == "adam" else torch.optim.AdamW
    return cls(params, lr=1e-3, weight_decay=args.weight_decay)


def make_input(dims, kind, spikes, device):
    if spikes is not None:
        return (torch.rand(dims, device=device) < spikes).to(kind)
    if kind.is_floating_point or kind.is_complex:
        return torch.randn(dims, dtype=kind, device=device)
    return torch.randint(2, dims, device=device).to(kind)


def first_tensor(out):
    """The first floating-point tensor of whatever a module returns."""
    if isinstance(out, torch.Tensor):
        return out if out.is_floating_point() else None
    values = out.values() if isinstance(out, dict) else out if isinstance(out, (tuple, list)) else ()
    return next((t for t in map(first_tensor, values) if t is not None), None)


def reset_state(model):
    for module in model.modules():
        if callable(getattr(module, "reset", None)):
            module.reset()


def mean_squared_error(outputs):
    if any(y is None or not y.requires_grad for y in outputs):
        raise RecorderError("nothing to differentiate: the module's output does not require gradient")
    mean = sum(outputs) / len(outputs)
    return nn.functional.mse_loss(mean, torch.rand_like(mean))


def run_batch(rec, model, optimizer, args, suffix):
    with rec.suspend():
        reset_state(model)
    outputs = []
    for t in range(args.time_steps):
        with rec.suspend():
            inputs = [make_input(d, k, args.spikes, args.device) for d, k in zip(args.input, args.input_dtype)]
        with rec.stage(f"forward{suffix}" + f"_t{t}" * (args.time_steps > 1)):
            outputs.append(first_tensor(model(*inputs)))
    if args.backward:
        with rec.suspend():
            loss = mean_squared_error(outputs)
        with rec.stage(f"backward{suffix}"):
            loss.backward()
    if optimizer is not None:
        with rec.stage(f"optimizer{suffix}"):
            optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def record(args):
    torch.manual_seed(args.seed)
    model = load_model(args.module, args.device).train(args.backward)
    optimizer = make_optimizer(args, model)
    with Recorder(args.output, model, optimizer, core_type=args.core_type, note=args.note,
                  soma=[load(where) for where in args.soma]) as rec:
        for b in range(args.batch):
            run_batch(rec, model, optimizer, args, f"_b{b}" * (args.batch > 1))
    return rec.events


def main(argv=None):
    args = parse_arguments(argv)
    sys.path.insert(0, os.getcwd())
    try:
        events = record(args)
    except RecorderError as e:
        print(f"neuromc_trace: {e}", file=sys.stderr)
        return 1
    except Exception as e:  # the module's own: show where it happened, then say that nothing was written
        traceback.print_exc()
        print(f"neuromc_trace: {args.module} failed, no trace was written: {e}", file=sys.stderr)
        return 1
    print(f"{args.output}: {events} events", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
