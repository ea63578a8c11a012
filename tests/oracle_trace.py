"""What a trace comes to, written a second time from docs/trace.md and docs/accounting.md: slow,
whole trace in memory, claims by searching. tests/t_trace holds the command against it.

lower(events, accounting) gives the list of fragments as a report's mapping_summary has it.
Refused is raised where the reference refuses.
"""
import math
import re

GEMMS = {"aten.mm.default", "aten.addmm.default", "aten.bmm.default"}
MORE = {"aten.baddbmm.default", "aten.mv.default", "aten.dot.default"}
LOOPS = ("B", "T", "C", "K", "OY", "OX", "FY", "FX")


class Refused(Exception):
    pass


class Stage:
    def __init__(self, name):
        low = name.lower()
        self.name = name
        self.phase = "backward" if "backward" in low else "optimizer" if re.search("optimizer|update", low) else "forward"
        find = lambda c: re.search(rf"(?:^|[^a-z0-9]){c}([0-9]+)(?:[^a-z0-9]|$)", low)
        self.b, self.t = (int(m[1]) if m else 0 for m in map(find, "bt"))
        self.no_bp_bn = "without_bp_bn" in low


def numel(x):
    return math.prod(x["shape"]) if x else 0


def fragment(stage, op, core, process, dims, io, bits=(16, 16, 16), phase=None, source="trace", at=False, macs=True, **more):
    d = dict(zip(LOOPS, (max(v, 1) for v in dims)))
    f = dict(stage=stage.name, op_name=op, phase=phase or stage.phase, core_type=core, process_key=process, loop_dims=d,
             input_elements=io[0], weight_elements=io[1], output_elements=io[2], source=source, node="",
             input_precision_bits=bits[0], weight_precision_bits=bits[1], output_precision_bits=bits[2],
             b_type=stage.b if at else 0, t_type=stage.t if at else 0, mac_count=math.prod(d.values()) if macs else 0,
             optimizer_has_momentum=False, optimizer_has_weight_decay=False, optimizer_has_momentum_buffer=False)
    f["conv_type"] = more.pop("conv_type", "--")
    return {**f, **more}


def core(kind, spike):
    return {"f": ("ann_fe", "fp_soma"), "i": ("ann_be", "bp_grad"), "w": ("ann_we", "wg"), "bf": ("ann_bn", "fp_bn"),
            "bb": ("ann_bn_bp", "bp_bn")}[kind][bool(spike)]


def layout(shape, mode, corrected):
    """T, B, C and what follows, as the reference reads a shape."""
    if mode == "m":
        if len(shape) < 3:
            raise Refused("rank < 3 in step mode m")
        return shape[0], shape[1], shape[2], shape[3:]
    if len(shape) >= 2:
        return 1, shape[0], shape[1], shape[2:]
    return 1, (shape[0] if shape and not corrected else 1), math.prod(shape), []


def conv_layout(m, shape, corrected):
    t, b, c, space = layout(shape, m["step_mode"], corrected)
    lead, axes = int(m["step_mode"] == "m"), len(m["kernel_size"])
    if corrected and len(shape) == lead + 1 + axes:
        b, space = 1, shape[lead + 1:]
    return t, b, pad(space[:axes])


def linear_layout(m, shape, corrected):
    t, b, _, _ = layout(shape, m["step_mode"], corrected)
    lead = int(m["step_mode"] == "m")
    if corrected and len(shape) >= lead + 3:
        b = math.prod(shape[lead:-1])
    return t, b


def product(m, stage, e, corrected, forward, last):
    """Fragments of a convolution or linear layer."""
    weight = math.prod(m["weight"]["shape"])
    main = e["input"] if forward else e["grad_output"]
    if m["type"] == "linear":
        t, b = linear_layout(m, main["shape"], corrected)
        dims, name = (b, t, m["in_features"], m["out_features"], 1, 1, 1, 1), "linear"
    else:
        t, b, space = conv_layout(m, main["shape"], corrected)
        if forward:
            space = conv_layout(m, e["output"]["shape"], corrected)[2]
        c = m["in_channels"] // (m["groups"] if corrected else 1)
        dims, name = (b, t, c, m["out_channels"], *space, *pad(m["kernel_size"])), "conv"
    make = lambda op, kind, spike, io, bits, **k: fragment(
        stage, f"{name}.{op}", core(kind, spike), "with_nothing", dims, io, bits, source="module", node=m["name"],
        groups=m.get("groups", 1), **k)
    if forward:
        s = e["input"]["spike"]
        return [make("forward", "f", s, (numel(e["input"]), weight, numel(e["output"])), (1 if s else 16, 16, 16),
                     phase="forward", at=True)]
    elements, s = last
    out = []
    if e["grad_input"]:
        out.append(make("backward.grad_input", "i", s, (numel(main), weight, numel(e["grad_input"])), (16, 16, 16), phase="backward"))
    if m["weight"]["requires_grad"]:
        out.append(make("backward.grad_weight", "w", s, (elements, numel(main), weight), (1 if s else 16, 16, 16), phase="backward"))
    return out


def channelwise(stage, op, kind, process, lay, io, bits=(16, 16, 16), **k):
    t, b, c, space = lay
    return fragment(stage, op, kind, process, (b, t, c, c, max(math.prod(space), 1), 1, 1, 1), io, bits, macs=False, **k)


def bn(stage, lay, phase, spike, elements_in, elements_out, **k):
    if phase == "backward" and stage.no_bp_bn:
        k["conv_type"] = "without_bp_bn"
    return channelwise(stage, f"bn.{phase}", core("bf" if phase == "forward" else "bb", spike), "with_bn", lay,
                       (elements_in, lay[2] * 2, elements_out), phase=phase, source="module", **k)


def call(stage, e, corrected, last):
    m, forward = e["module"], e["event"] == "module.forward"
    kind, mode, node = m["type"], m["step_mode"], m["name"]
    if kind == "conv3d" and not corrected:
        raise Refused("Conv3d")
    if kind == "linear" or kind.startswith("conv"):
        return product(m, stage, e, corrected, forward, last)
    if kind == "soma":
        if forward:
            return [channelwise(stage, "soma.forward", "fp_soma", "with_sg", layout(e["output"]["shape"], mode, corrected),
                                (numel(e["input"]), 0, numel(e["output"])), (16, 16, 1), phase="forward", source="module",
                                at=True, node=node)]
        x = e["grad_input"] or e["grad_output"]
        return [channelwise(stage, "soma.backward", "bp_grad", "with_sg", layout(x["shape"], mode, corrected),
                            (numel(e["grad_output"]), 0, numel(x)), phase="backward", source="module", node=node)]
    x = e["input"] if forward else e["grad_output"]
    y = e["output"] if forward else e["grad_input"]
    return [bn(stage, layout(x["shape"], mode, corrected), "forward" if forward else "backward",
               x["spike"] if forward else last[1], numel(x), numel(y), node=node)]


def step(stage, e):
    def make(op, k, fx, **flags):
        f = fragment(stage, op, "bp_grad_opt", "with_opt", [1] * 8, (k, fx, k + fx), (32, 32, 32), phase="optimizer",
                     source="optimizer", macs=False, **flags)
        f["loop_dims"].update(K=k, FX=fx)
        return f

    sums = {}
    for g in e["groups"]:
        if e["optimizer"] == "sgd" and (g["nesterov"] or g["dampening"] or g["maximize"]):
            raise Refused("sgd")
        for p in g["params"]:
            if p["has_grad"]:
                m = g["momentum"] > 0
                key = (m, g["weight_decay"] > 0, m and p["has_momentum_buffer"], len(p["shape"]) <= 1)
                key = key if e["optimizer"] == "sgd" else key[3:]
                sums[key] = sums.get(key, 0) + math.prod(p["shape"])
    if e["optimizer"] != "sgd":
        return [make(e["optimizer"], sums.get((True,), 0), sums.get((False,), 0))]
    return [make("sgd", n if key[3] else 0, 0 if key[3] else n, optimizer_has_momentum=key[0], optimizer_has_weight_decay=key[1],
                 optimizer_has_momentum_buffer=key[2]) for key, n in sums.items() if n]


def gemm(stage, e, stacks):
    """(fragment, M, inner, N)"""
    op, (x, y), out = e["op"], e["args"][-2:], e["out"]
    if op == "aten.mv.default":
        x, y = {**y, "shape": [1, *y["shape"]]}, {**x, "shape": x["shape"][::-1]}
    if op == "aten.dot.default":
        x, y = {**x, "shape": [1, *x["shape"]]}, {**y, "shape": [*y["shape"], 1]}
    *batch, m, inner = x["shape"]
    batch, n = math.prod(batch), y["shape"][-1]
    io, sides = (numel(x), numel(y), numel(out)), (tuple(x["shape"]), tuple(out["shape"]))
    if op in MORE and op != "aten.baddbmm.default":
        sides = (sides[0][1:], sides[1])
    if stage.phase == "forward":
        spike, kind = x["spike"], "f"
        stacks.setdefault((op, *sides), []).append(spike)
    elif x["requires_grad"] and not y["requires_grad"]:
        spike, kind = x["spike"], "w"
    else:
        other = {"aten.mm.default": "aten.addmm.default", "aten.addmm.default": "aten.mm.default"}.get(op, op)
        stack = stacks.get((op, *sides[::-1])) or stacks.get((other, *sides[::-1]))
        spike, kind = stack.pop() if stack else False, "i"
    dims = (batch * inner, 1, m, n) if kind == "w" else (batch * m, 1, inner, n)
    bits = (1 if spike and kind != "i" else 16, 16, 16)
    return fragment(stage, op, core(kind, spike), "with_nothing", (*dims, 1, 1, 1, 1), io, bits, at=True), batch * m, inner, n


def pad(shape):
    """Y and X; depth counts as Y."""
    return [shape[0] * shape[1], shape[2]] if len(shape) == 3 else (list(shape) + [1, 1])[:2]


def aten(stage, e, stacks, corrected):
    """[(runtime fragment or None, corrected fragment, claim key or None)]"""
    op, args, out = e["op"], e["args"], e["out"]
    if op in GEMMS or op in MORE:
        f, m, inner, n = gemm(stage, e, stacks)
        return [(f if op in GEMMS else None, f, ("gemm", *sorted((max(m, 1), max(n, 1))), max(inner, 1)))]
    if op in ("aten.convolution.default", "aten.convolution_backward.default"):
        back = op != "aten.convolution.default"
        y, x, w = (args[0], args[1], args[2]) if back else (out, args[0], args[1])
        transposed, groups = (args[7], args[9]) if back else (args[6], args[8])
        deep = max(len(v["shape"]) for v in (x, y, w)) > 4
        if deep and not back and stage.phase == "forward" and not corrected:
            raise Refused("Conv3d")
        s, b, c, k = x["spike"], x["shape"][0], x["shape"][1], y["shape"][1]
        kernel, space = pad(w["shape"][2:]), pad((x if transposed else y)["shape"][2:])
        dims = (b, 1, c // groups, k, *space, *kernel)
        key = lambda kind: None if transposed else (kind, *(max(v, 1) for v in dims), groups)
        make = lambda kind, io, bits: fragment(stage, op, core(kind, s), "with_nothing", dims, io, bits, at=True, groups=groups)
        one = 1 if s else 16
        if back:
            units = []
            if out[0]:
                units.append((None, make("i", (numel(y), numel(w), numel(out[0])), (16, 16, 16)), key("conv.i")))
            if out[1]:
                units.append((None, make("w", (numel(x), numel(y), numel(out[1])), (one, 16, 16)), key("conv.w")))
            return units
        f = make("f", (numel(x), numel(w), numel(y)), (one, 16, 16))
        rt = fragment(stage, op, core("f", s), "with_nothing", (b, 1, c, k, *pad(y["shape"][2:]), *kernel),
                      (numel(x), numel(w), numel(y)), (one, 16, 16), at=True, groups=groups)
        return [(rt if stage.phase == "forward" else None, f, key("conv.f"))]
    if op == "aten.native_batch_norm.default":
        x, lay = args[0], layout(args[0]["shape"], "s", False)
        f = bn(stage, lay, "forward", x["spike"], numel(x), numel(out[0]))
        return [(f if stage.phase == "forward" else None, f, bn_key("forward", lay))]
    if op == "aten.native_batch_norm_backward.default":
        lay = layout(out[0]["shape"], "s", False)
        f = bn(stage, lay, "backward", False, numel(out[0]), numel(args[0]))
        return [(f, f, bn_key("backward", lay))]
    return []


def bn_key(phase, lay):
    t, b, c, space = lay
    return (f"bn.{phase}", max(b, 1) * max(t, 1), max(c, 1), max(math.prod(space), 1))


def call_key(m, f):
    """What a fragment of a module call can claim."""
    d = f["loop_dims"]
    rows = d["B"] * d["T"]
    role = {"f": "f", "b": "i" if "grad_input" in f["op_name"] else "w"}[f["phase"][0]]
    if m["type"] == "linear":
        a, inner, b = {"f": (rows, d["C"], d["K"]), "i": (rows, d["K"], d["C"]), "w": (d["K"], rows, d["C"])}[role]
        return ("gemm", *sorted((a, b)), inner)
    if m["type"].startswith("conv"):
        return (f"conv.{role}", rows, 1, *(d[k] for k in LOOPS[2:]), m["groups"])
    if m["type"].startswith("batch_norm"):
        return (f"bn.{f['phase']}", rows, d["C"], d["OY"])
    return None


def signature(f):
    d = f["loop_dims"]
    drop = ("op_name", "source", "node", "groups", "loop_dims")
    return (d["B"] * d["T"], *(d[k] for k in LOOPS[2:]), *(v for k, v in f.items() if k not in drop))


def lower(events, accounting):
    corrected = accounting == "corrected"
    stacks, last, first, signatures, units, claims = {}, {}, [], set(), [], []
    for place, e in enumerate(events):
        stage = Stage(e["stage"])
        if e["event"] == "optimizer.step":
            first += step(stage, e)
        elif e["event"] == "aten":
            units += [dict(place=place, runtime=r, corrected=c, key=k and (stage.name, k), taken=False)
                      for r, c, k in aten(stage, e, stacks, corrected)]
        else:
            m = e["module"]
            before = last.get(m["name"], (0, False))
            if not corrected:
                signatures.update(map(signature, call(stage, e, False, before)))
            fixed = call(stage, e, True, before)
            claims += [(place, (stage.name, call_key(m, f))) for f in fixed]
            first += fixed if corrected else call(stage, e, False, before)
            if e["event"] == "module.forward":
                last[m["name"]] = (numel(e["input"]), e["input"]["spike"])
    for place, key in claims:
        free = [u for u in units if u["key"] == key and not u["taken"]]
        earlier = [u for u in free if u["place"] < place]
        if free:
            (earlier[-1] if earlier else free[0])["taken"] = True
    if corrected:
        rest = [u["corrected"] for u in units if not u["taken"]]
    else:
        rest = [u["runtime"] for u in units if u["runtime"] and signature(u["runtime"]) not in signatures]
        if any(e.get("op") == "aten.native_batch_norm.default" and Stage(e["stage"]).phase == "forward" and
               len(e["args"][0]["shape"]) > 4 for e in events):
            raise Refused("batch norm of more than four dims")
    if not first + rest:
        raise Refused("nothing recognised")
    return first + rest
