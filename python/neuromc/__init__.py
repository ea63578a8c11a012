"""What a network costs in energy on described hardware.

    import neuromc
    report = neuromc.estimate("resnet18.onnx", preset="neuromc_like_v1", batch=8)
    report.energy_total_pj
    report.fragments          # list of dicts: pandas.DataFrame(report.fragments)

Energies are picojoules, memory is bits, work is MACs. Errors are exceptions with place and hint.
"""
from __future__ import annotations

import ctypes
import json
import os
import weakref
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import _library as _c
from ._errors import (Error, InputError, ReadWriteError, UnsupportedError, UsageError, choice, listed, refuse)

__all__ = ["estimate", "map", "sweep", "inspect", "presets", "preset", "version", "Report", "Sweep", "Error",
           "UsageError", "InputError", "UnsupportedError", "ReadWriteError"]

_lib = _c.load()
Path = Union[str, "os.PathLike[str]"]


_ERRORS = {2: UsageError, 3: InputError, 4: UnsupportedError, 5: ReadWriteError}
_STAGES = {"forward": 1, "backward": 2, "optimizer": 4}
_OPTIMIZERS = {None: 0, "adam": 1, "adamw": 2, "sgd": 3}
_FORMATS = {"text": 0, "json": 1, "csv": 2, "folded": 3, "md": 4, "latex": 5, "pprof": 6, "html": 7, "yaml": 8}
_REPORT_FORMATS = ("html", "pprof", "folded", "md", "latex", "csv", "json", "text")
_ACCOUNTINGS = {"corrected": 0, "runtime": 1}
_SAMPLERS = {"random": 0, "sobol": 1}
_OBJECTIVES = {"energy": 0, "latency": 1, "edp": 2}


class _Handles:
    """What a call allocated in C, given back when it ends."""

    def __init__(self) -> None:
        self.diags = _lib.neuromc_diags_new()
        self.open: list[tuple[Any, ctypes.c_void_p]] = []
        self.keep: list[Any] = []  # Python memory that C borrows

    def __enter__(self) -> "_Handles":
        return self

    def __exit__(self, *_: object) -> None:
        for free, handle in reversed(self.open):
            free(handle)
        _lib.neuromc_diags_free(self.diags)

    def out(self, free: Any) -> ctypes.c_void_p:
        handle = ctypes.c_void_p()
        self.open.append((free, handle))
        return handle

    def hand_over(self, owner: Any, handle: ctypes.c_void_p) -> None:
        """The handle lives as long as its owner, not as long as the call."""
        free = next(f for f, h in self.open if h is handle)
        self.open.remove((free, handle))
        weakref.finalize(owner, free, handle)

    def messages(self) -> list[dict[str, Any]]:
        found = []
        for i in range(_lib.neuromc_diags_count(self.diags)):
            diag = _lib.neuromc_diags_at(self.diags, i).contents
            entry: dict[str, Any] = {"severity": ("error", "warning", "note")[diag.severity]}
            for name, _ in _c.Diag._fields_[2:]:
                value = getattr(diag, name)
                entry[name] = value.decode(errors="replace") if isinstance(value, bytes) else value or None
            found.append(entry)
        return found

    def check(self, status: int) -> None:
        if status:
            raise _ERRORS.get(status, Error)([m for m in self.messages() if m["severity"] == "error"])

    def texts(self, values: Iterable[str]) -> tuple[Any, int]:
        encoded = [_path(v) for v in values]
        array = (ctypes.c_char_p * max(len(encoded), 1))(*encoded)
        self.keep.append((encoded, array))
        return ctypes.cast(array, ctypes.POINTER(ctypes.c_char_p)), len(encoded)

    def bindings(self, values: Mapping[str, int]) -> tuple[Any, int]:
        array = (_c.DimBinding * max(len(values), 1))(*[_c.DimBinding(_path(k), v) for k, v in values.items()])
        self.keep.append(array)
        return ctypes.cast(array, ctypes.POINTER(_c.DimBinding)), len(values)

    def collect(self, write: Any) -> bytes:
        """Calls write(callback) and returns all that went through it."""
        pieces: list[bytes] = []

        def take(_user: Any, data: Any, size: int) -> bool:
            pieces.append(ctypes.string_at(data, size))
            return True

        self.check(write(_c.WRITE(take)))
        return b"".join(pieces)


def _chosen(name: str, value: Any, known: Mapping[Any, int]) -> int:
    return known[choice(name, value, known)]


def _path(value: Path) -> bytes:
    text = os.fsencode(value)
    if b"\0" in text:
        refuse(f"{value!r} has a zero byte, where C ends a text")
    return text


def _written(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _preset_options(h: _Handles, values: Mapping[str, Any], search_path: Optional[Path]) -> Any:
    texts, count = h.texts(f"{path}={_written(value)}" for path, value in values.items())
    return _c.PresetOptions(_path(search_path) if search_path else None, texts, count)


def _load_preset(h: _Handles, name: Path, values: Mapping[str, Any], search_path: Optional[Path]) -> ctypes.c_void_p:
    options = _preset_options(h, values, search_path)
    handle = h.out(_lib.neuromc_preset_free)
    h.check(_lib.neuromc_preset_load(_path(name), ctypes.byref(options), ctypes.byref(handle), h.diags))
    return handle


def _model_options(h: _Handles, *, dims: Mapping[str, int], batch: int, trips: Mapping[str, int],
                   spike_inputs: Sequence[str], soma_ops: Sequence[str], time_steps: int) -> Any:
    dim_array, dim_count = h.bindings(dims)
    trip_array, trip_count = h.bindings(trips)
    spikes, spike_count = h.texts(listed("spike_inputs", spike_inputs))
    somas, soma_count = h.texts(listed("soma_ops", soma_ops))
    return _c.ModelOptions(dim_array, dim_count, batch, spikes, spike_count, somas, soma_count, trip_array, trip_count,
                           time_steps)


def _load_model(h: _Handles, path: Path, **binding: Any) -> ctypes.c_void_p:
    options = _model_options(h, **binding)
    handle = h.out(_lib.neuromc_model_free)
    h.check(_lib.neuromc_model_load(_path(path), ctypes.byref(options), ctypes.byref(handle), h.diags))
    return handle


class Report:
    """A report. `data` is the whole JSON document (docs/report.schema.json); the properties are its tables."""

    def __init__(self, data: dict[str, Any], messages: list[dict[str, Any]], handle: ctypes.c_void_p):
        self.data = data
        self.messages = messages
        self._handle = handle

    def render(self, format: str = "html", *, ledger: bool = False) -> bytes:
        """The report as `neuromc estimate --format FORMAT` writes it: html, pprof, folded, md, latex, csv, json or
        text. `ledger` adds every row of the ledger to JSON."""
        if format not in _REPORT_FORMATS:
            raise ValueError(f"no format {format!r}: there are {', '.join(_REPORT_FORMATS)}")
        how = _c.WriteOptions(_FORMATS[format], ledger, False)
        with _Handles() as h:
            return h.collect(lambda take: _lib.neuromc_report_write(self._handle, ctypes.byref(how), take, None, h.diags))

    @property
    def energy_total_pj(self) -> float:
        return self.data["energy_total_pj"]

    @property
    def macs(self) -> int:
        return self.data["primitive_counts"]["totals"]["mac"]

    @property
    def fragments(self) -> list[dict[str, Any]]:
        """One dict for each fragment, loop dims as columns of their own."""
        rows = []
        for fragment in self.data["mapping_summary"]:
            row = {k: v for k, v in fragment.items() if not isinstance(v, dict)}
            row.update(fragment["loop_dims"])
            rows.append(row)
        return rows

    def _by(self, key: str) -> list[dict[str, Any]]:
        total = self.energy_total_pj
        return [{key: name, "energy_pj": energy, "share": energy / total if total else 0.0}
                for name, energy in self.data[f"energy_by_{key}"].items()]

    @property
    def stages(self) -> list[dict[str, Any]]:
        return self._by("stage")

    @property
    def ops(self) -> list[dict[str, Any]]:
        return self._by("op")

    @property
    def nodes(self) -> list[dict[str, Any]]:
        return self._by("node")

    @property
    def levels(self) -> list[dict[str, Any]]:
        bits = self.data["memory_bits_by_level"]["by_level_dir"]
        return [{"level": level, "direction": direction, "energy_pj": energy, "bits": bits[level][direction]}
                for level, directions in self.data["energy_by_memory_level_dir"].items()
                for direction, energy in directions.items()]

    @property
    def coverage(self) -> list[dict[str, Any]]:
        return self.data["coverage"]["by_op"]

    @property
    def notes(self) -> list[dict[str, Any]]:
        return self.data["accounting_notes"]

    def __repr__(self) -> str:
        return f"<neuromc.Report {self.data['model']} on {self.data['preset']['name']}: {self.energy_total_pj:g} pJ>"


def _stages(train: bool, stages: Optional[Sequence[str]]) -> int:
    if train and stages:
        raise ValueError("train is all three stages: give one of train and stages")
    wanted = tuple(_STAGES) if train else listed("stages", stages or ("forward",))
    return sum(_chosen("stages", s, _STAGES) for s in dict.fromkeys(wanted))


def _map_options(h: _Handles, objective: str, mapping_file: Optional[Path], fix: Sequence[str], order: Sequence[str],
                 min_utilization: float, jobs: int, steps: int) -> Any:
    fixes, fix_count = h.texts(listed("fix", fix))
    orders, order_count = h.texts(listed("order", order))
    options = _c.MapOptions(objective=_chosen("objective", objective, _OBJECTIVES),
                            mapping=_path(mapping_file) if mapping_file else None, fixes=fixes,
                            fix_count=fix_count, orders=orders, order_count=order_count,
                            least_utilization=min_utilization, jobs=jobs, steps=steps)
    h.keep.append(options)
    return ctypes.pointer(options)


def _rate(spike_rate: Union[None, float, Path]) -> Optional[bytes]:
    if spike_rate is None:
        return None
    return _path(repr(spike_rate) if isinstance(spike_rate, (int, float)) else spike_rate)


def estimate(path: Path, preset: Path = "neuromc_like_v1", *, set: Optional[Mapping[str, Any]] = None,
             preset_path: Optional[Path] = None, dims: Optional[Mapping[str, int]] = None, batch: int = 0,
             trips: Optional[Mapping[str, int]] = None, spike_inputs: Sequence[str] = (),
             soma_ops: Sequence[str] = (), time_steps: int = 0, accounting: str = "corrected", train: bool = False,
             stages: Optional[Sequence[str]] = None, optimizer: Optional[str] = None, momentum: float = 0.0,
             weight_decay: float = 0.0, dampening: float = 0.0, nesterov: bool = False, maximize: bool = False,
             first_step: bool = False, freeze: Sequence[str] = (), input_grads: Sequence[str] = (),
             spike_rate: Union[None, float, Path] = None, elementwise: bool = False,
             precision_from_model: bool = False, strict: bool = False, mapping: bool = True,
             ledger: bool = False, objective: str = "energy", mapping_file: Optional[Path] = None,
             fix: Sequence[str] = (), order: Sequence[str] = (), min_utilization: float = 0.0,
             jobs: int = 0, steps: int = 0) -> Report:
    """Estimates an ONNX model or a trace. The arguments are the options of `neuromc estimate`; `set` maps preset
    paths to values, `mapping=False` keeps no list of fragments, `ledger=True` adds every row of the ledger,
    `mapping_file` is `--mapping`."""
    wanted = _stages(train, stages)
    with _Handles() as h:
        frozen, frozen_count = h.texts(listed("freeze", freeze))
        grads, grad_count = h.texts(listed("input_grads", input_grads))
        options = _c.EstimateOptions(_chosen("accounting", accounting, _ACCOUNTINGS), wanted, elementwise,
                                     precision_from_model, strict, not mapping,
                                     _chosen("optimizer", optimizer, _OPTIMIZERS), momentum,
                                     weight_decay, dampening, nesterov, maximize, first_step, frozen, frozen_count,
                                     grads, grad_count, _rate(spike_rate),
                                     _map_options(h, objective, mapping_file, fix, order, min_utilization, jobs, steps))
        hardware = _load_preset(h, preset, set or {}, preset_path)
        model = _load_model(h, path, dims=dims or {}, batch=batch, trips=trips or {}, spike_inputs=spike_inputs,
                            soma_ops=soma_ops, time_steps=time_steps)
        handle = h.out(_lib.neuromc_report_free)
        h.check(_lib.neuromc_estimate(model, hardware, ctypes.byref(options), ctypes.byref(handle), h.diags))
        report = Report({}, h.messages(), handle)
        h.hand_over(report, handle)
        report.data = json.loads(report.render("json", ledger=ledger))
        return report


def map(path: Path, preset: Path, *, set: Optional[Mapping[str, Any]] = None, preset_path: Optional[Path] = None,
        dims: Optional[Mapping[str, int]] = None, batch: int = 0, trips: Optional[Mapping[str, int]] = None,
        spike_inputs: Sequence[str] = (), soma_ops: Sequence[str] = (), time_steps: int = 0, train: bool = False,
        stages: Optional[Sequence[str]] = None, freeze: Sequence[str] = (),
        spike_rate: Union[None, float, Path] = None, precision_from_model: bool = False, objective: str = "energy",
        mapping_file: Optional[Path] = None, fix: Sequence[str] = (), order: Sequence[str] = (),
        min_utilization: float = 0.0, jobs: int = 0, steps: int = 0, yaml: bool = False) -> Any:
    """The best mapping of each layer to the machine of a preset, as `neuromc map --format json` has it
    (docs/map.schema.json); with `yaml=True` the text of a mapping file."""
    with _Handles() as h:
        frozen, frozen_count = h.texts(listed("freeze", freeze))
        options = _c.EstimateOptions(stages=_stages(train, stages), precision_from_model=precision_from_model,
                                     freeze=frozen, freeze_count=frozen_count, spike_rate=_rate(spike_rate),
                                     map=_map_options(h, objective, mapping_file, fix, order, min_utilization, jobs,
                                                      steps))
        hardware = _load_preset(h, preset, set or {}, preset_path)
        model = _load_model(h, path, dims=dims or {}, batch=batch, trips=trips or {}, spike_inputs=spike_inputs,
                            soma_ops=soma_ops, time_steps=time_steps)
        handle = h.out(_lib.neuromc_map_free)
        h.check(_lib.neuromc_map_model(model, hardware, ctypes.byref(options), ctypes.byref(handle), h.diags))
        how = _c.WriteOptions(_FORMATS["yaml" if yaml else "json"], False, False)
        text = h.collect(lambda take: _lib.neuromc_map_write(handle, ctypes.byref(how), take, None, h.diags)).decode()
        return text if yaml else json.loads(text)


Values = Union[str, int, float, Iterable[Any]]


class Sweep:
    """What a sweep found. `data` is the whole JSON document (`neuromc sweep --format json`); the properties are its
    tables, one dict for each row."""

    def __init__(self, data: dict[str, Any], points: Optional[list[dict[str, Any]]], svg: str,
                 messages: list[dict[str, Any]]):
        self.data = data
        self.messages = messages
        self.svg = svg  # a scatter with the front, and a panel for each axis
        self._points = points

    def _rows(self, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        numeric = {axis["name"] for axis in self.data["space"]["axes"] if axis["numeric"]}
        return [{"index": row["index"],
                 **{name: float(text) if name in numeric else text for name, text in row["point"].items()},
                 **row["values"]} for row in rows]

    @property
    def top(self) -> list[dict[str, Any]]:
        """The best points by the first objective."""
        return self._rows(self.data["top"])

    @property
    def pareto(self) -> list[dict[str, Any]]:
        """The Pareto front; `data["pareto"]["exact"]` says whether it is whole."""
        return self._rows(self.data["pareto"]["points"])

    @property
    def axes(self) -> list[dict[str, Any]]:
        """One dict for each axis and objective: what share of the variance the axis explains."""
        return [{"axis": axis["name"], "values": axis["values"], "first": axis["first"], "last": axis["last"], **effect}
                for axis in self.data["space"]["axes"] for effect in axis["effects"]]

    @property
    def objectives(self) -> list[dict[str, Any]]:
        return self.data["objectives"]

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Why points failed, and how many."""
        return self.data["failures"]

    @property
    def points(self) -> list[dict[str, Any]]:
        """Every point in index order, with `status` and `reason`; needs `sweep(..., points=True)`."""
        if self._points is None:
            raise ValueError("points were not kept: sweep(..., points=True)")
        return self._points

    @property
    def partial(self) -> bool:
        """Whether the sweep was stopped before its end."""
        return self.data["partial"]

    def _repr_html_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<neuromc.Sweep {', '.join(self.data['models'])}: {self.data['evaluated']} points>"


def _texts(value: Union[None, str, Iterable[str]]) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _axis(path: str, values: Values) -> str:
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        return f"{path}={_written(values)}"
    return f"{path}={','.join(_written(v) for v in values)}"


def _flat_point(line: str) -> dict[str, Any]:
    row = json.loads(line)
    return {"index": row["index"], **row["point"], **row["values"], "status": row["status"],
            "reason": row.get("reason", "")}


class _Run:
    """The callbacks of one run: what they collect, and the exception that ended it, if one did."""

    def __init__(self, keep_points: bool, progress: Optional[Callable[[int, int], Any]]):
        self.pieces: list[bytes] = []
        self.error: Optional[BaseException] = None
        self.progress = progress
        self.take = _c.WRITE(self._take) if keep_points else _c.WRITE()
        self.tell = _c.SWEEP_PROGRESS(self._tell)

    def _take(self, _user: Any, data: Any, size: int) -> bool:
        self.pieces.append(ctypes.string_at(data, size))
        return True

    def _tell(self, _user: Any, progress: Any) -> bool:
        try:
            return self.progress is None or self.progress(progress.contents.done, progress.contents.total) is not False
        except BaseException as error:  # Ctrl-C too: it may not pass through C
            self.error = error
            return False


def sweep(models: Union[Path, Sequence[Path]] = (), preset: Optional[Path] = None, *,
          vary: Optional[Mapping[str, Values]] = None, space: Optional[Path] = None, zip: Sequence[str] = (),
          objective: Union[None, str, Iterable[str]] = None, fields: Union[None, str, Iterable[str]] = None,
          where: Union[None, str, Iterable[str]] = None, top: int = -1, pareto: bool = False, remap: bool = False,
          sample: int = 0, sampler: str = "random", seed: int = 1, points: bool = False, jobs: int = 0,
          progress: Optional[Callable[[int, int], Any]] = None, set: Optional[Mapping[str, Any]] = None,
          preset_path: Optional[Path] = None, dims: Optional[Mapping[str, int]] = None, batch: int = 0,
          trips: Optional[Mapping[str, int]] = None, spike_inputs: Sequence[str] = (), soma_ops: Sequence[str] = (),
          time_steps: int = 0, accounting: str = "corrected", train: bool = False,
          stages: Optional[Sequence[str]] = None, optimizer: Optional[str] = None, freeze: Sequence[str] = (),
          spike_rate: Union[None, float, Path] = None) -> Sweep:
    """Prices a space of configurations. The arguments are the options of `neuromc sweep` (docs/sweep.md); `vary` maps
    paths and knobs to values, a list or a text such as "1Ki:1Mi:*2", `points=True` keeps every point.
    `progress(done, total)` is called a few times a second; when it returns False the sweep ends with what it has."""
    files = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    wanted = _stages(train, stages)
    run = _Run(points, progress)
    with _Handles() as h:
        frozen, frozen_count = h.texts(listed("freeze", freeze))
        estimate_options = _c.EstimateOptions(accounting=_chosen("accounting", accounting, _ACCOUNTINGS),
                                              stages=wanted,
                                              optimizer=_chosen("optimizer", optimizer, _OPTIMIZERS), freeze=frozen,
                                              freeze_count=frozen_count, spike_rate=_rate(spike_rate))
        model_options = _model_options(h, dims=dims or {}, batch=batch, trips=trips or {}, spike_inputs=spike_inputs,
                                       soma_ops=soma_ops, time_steps=time_steps)
        preset_options = _preset_options(h, set or {}, preset_path)
        lists = [h.texts(list(texts)) for texts in (
            [os.fspath(f) for f in files], [_axis(path, values) for path, values in (vary or {}).items()], _texts(zip),
            _texts(objective), _texts(fields), _texts(where))]
        options = _c.SweepOptions(*lists[0], _path(preset) if preset else None, ctypes.pointer(preset_options),
                                  ctypes.pointer(model_options), ctypes.pointer(estimate_options),
                                  _path(space) if space else None, *lists[1], *lists[2], sample,
                                  _chosen("sampler", sampler, _SAMPLERS), seed, *lists[3], *lists[4], *lists[5], top,
                                  pareto, remap)
        plan, result = h.out(_lib.neuromc_sweep_free), h.out(_lib.neuromc_sweep_result_free)
        h.check(_lib.neuromc_sweep_new(ctypes.byref(options), ctypes.byref(plan), h.diags))
        how = _c.SweepRunOptions(jobs=jobs, points=run.take, points_format=1, sample_for_plot=True, progress=run.tell)
        h.check(_lib.neuromc_sweep_run(plan, ctypes.byref(how), ctypes.byref(result), h.diags))
        if run.error:
            raise run.error
        json_format = _c.WriteOptions(_FORMATS["json"], False, False)
        text = h.collect(lambda take: _lib.neuromc_sweep_write(result, ctypes.byref(json_format), take, None, h.diags))
        svg = h.collect(lambda take: _lib.neuromc_sweep_plot(result, 0, take, None, h.diags)).decode()
        lines = b"".join(run.pieces).decode().splitlines()
        return Sweep(json.loads(text), [_flat_point(line) for line in lines] if points else None, svg, h.messages())


def inspect(path: Path, *, dims: Optional[Mapping[str, int]] = None, batch: int = 0,
            trips: Optional[Mapping[str, int]] = None, spike_inputs: Sequence[str] = (),
            soma_ops: Sequence[str] = (), time_steps: int = 0) -> dict[str, Any]:
    """The graph after shape inference, as `neuromc inspect --format json` has it."""
    with _Handles() as h:
        model = _load_model(h, path, dims=dims or {}, batch=batch, trips=trips or {}, spike_inputs=spike_inputs,
                            soma_ops=soma_ops, time_steps=time_steps)
        how = _c.WriteOptions(_FORMATS["json"], False, False)
        return json.loads(h.collect(lambda take: _lib.neuromc_model_inspect(model, ctypes.byref(how), take, None,
                                                                            h.diags)))


def presets(search_path: Optional[Path] = None) -> list[dict[str, Any]]:
    """The presets on the search path: name, path, description, technology_nm."""
    found: list[dict[str, Any]] = []

    def visit(_user: Any, info: Any) -> bool:
        one = info.contents
        found.append({"name": one.name.decode(), "path": one.path.decode(), "description": one.description.decode(),
                      "technology_nm": one.technology_nm})
        return True

    with _Handles() as h:
        h.check(_lib.neuromc_preset_list(_path(search_path) if search_path else None, _c.VISIT(visit), None,
                                         h.diags))
    return found


def preset(name: Path, *, set: Optional[Mapping[str, Any]] = None, preset_path: Optional[Path] = None) -> str:
    """The effective preset as YAML text that loads back equal."""
    with _Handles() as h:
        hardware = _load_preset(h, name, set or {}, preset_path)
        return h.collect(lambda take: _lib.neuromc_preset_write(hardware, take, None, h.diags)).decode()


def version() -> str:
    """Version of the library in use."""
    return _lib.neuromc_version().decode()
