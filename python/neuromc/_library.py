"""The C library as ctypes sees it: structures, prototypes, and where it is found.

The structures mirror include/neuromc.h field by field; a test holds them to the header.
"""
import ctypes
import ctypes.util
import os
import pathlib

from . import _errors

WRITE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


_INTEGERS = {ctypes.c_int: (32, True), ctypes.c_uint: (32, False), ctypes.c_int64: (64, True),
             ctypes.c_size_t: (64, False)}


class Options(ctypes.Structure):
    """What a caller asks for: ctypes cuts an integer that is too large for its field and says nothing."""

    def __init__(self, *values, **named):
        fields = dict(self._fields_)
        for name, value in (*zip(fields, values), *named.items()):
            if fields[name] in _INTEGERS:
                _errors.integer(name, value, *_INTEGERS[fields[name]], least=-1 if name == "top" else 0)
            elif fields[name] is ctypes.c_double:
                _errors.real(name, value)
        super().__init__(*values, **named)


class PresetInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("path", ctypes.c_char_p), ("description", ctypes.c_char_p),
                ("technology_nm", ctypes.c_double)]


VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(PresetInfo))


class Diag(ctypes.Structure):
    _fields_ = [("severity", ctypes.c_int), ("status", ctypes.c_int), ("file", ctypes.c_char_p), ("line", ctypes.c_int),
                ("column", ctypes.c_int), ("where", ctypes.c_char_p), ("message", ctypes.c_char_p),
                ("hint", ctypes.c_char_p)]


class PresetOptions(Options):
    _fields_ = [("search_path", ctypes.c_char_p), ("assignments", ctypes.POINTER(ctypes.c_char_p)),
                ("assignment_count", ctypes.c_size_t)]


class DimBinding(Options):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_int64)]


class ModelOptions(Options):
    _fields_ = [("dims", ctypes.POINTER(DimBinding)), ("dim_count", ctypes.c_size_t), ("batch", ctypes.c_int64),
                ("spike_inputs", ctypes.POINTER(ctypes.c_char_p)), ("spike_input_count", ctypes.c_size_t),
                ("soma_ops", ctypes.POINTER(ctypes.c_char_p)), ("soma_op_count", ctypes.c_size_t),
                ("trips", ctypes.POINTER(DimBinding)), ("trip_count", ctypes.c_size_t),
                ("time_steps", ctypes.c_int64)]


PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)


class MapOptions(Options):
    _fields_ = [("objective", ctypes.c_int), ("mapping", ctypes.c_char_p),
                ("fixes", ctypes.POINTER(ctypes.c_char_p)), ("fix_count", ctypes.c_size_t),
                ("orders", ctypes.POINTER(ctypes.c_char_p)), ("order_count", ctypes.c_size_t),
                ("least_utilization", ctypes.c_double), ("jobs", ctypes.c_int), ("steps", ctypes.c_int64),
                ("stop", ctypes.POINTER(ctypes.c_int)), ("progress", PROGRESS), ("progress_user", ctypes.c_void_p)]


class EstimateOptions(Options):
    _fields_ = [("accounting", ctypes.c_int), ("stages", ctypes.c_uint), ("elementwise", ctypes.c_bool),
                ("precision_from_model", ctypes.c_bool), ("strict", ctypes.c_bool), ("no_mapping", ctypes.c_bool),
                ("optimizer", ctypes.c_int), ("momentum", ctypes.c_double), ("weight_decay", ctypes.c_double),
                ("dampening", ctypes.c_double), ("nesterov", ctypes.c_bool), ("maximize", ctypes.c_bool),
                ("first_step", ctypes.c_bool), ("freeze", ctypes.POINTER(ctypes.c_char_p)),
                ("freeze_count", ctypes.c_size_t), ("input_grads", ctypes.POINTER(ctypes.c_char_p)),
                ("input_grad_count", ctypes.c_size_t), ("spike_rate", ctypes.c_char_p),
                ("map", ctypes.POINTER(MapOptions))]


class WriteOptions(Options):
    _fields_ = [("format", ctypes.c_int), ("ledger", ctypes.c_bool), ("color", ctypes.c_bool)]


class SweepOptions(Options):
    _fields_ = [("models", ctypes.POINTER(ctypes.c_char_p)), ("model_count", ctypes.c_size_t),
                ("preset", ctypes.c_char_p), ("preset_options", ctypes.POINTER(PresetOptions)),
                ("model_options", ctypes.POINTER(ModelOptions)),
                ("estimate_options", ctypes.POINTER(EstimateOptions)), ("space", ctypes.c_char_p),
                ("vary", ctypes.POINTER(ctypes.c_char_p)), ("vary_count", ctypes.c_size_t),
                ("zip", ctypes.POINTER(ctypes.c_char_p)), ("zip_count", ctypes.c_size_t),
                ("sample", ctypes.c_int64), ("sampler", ctypes.c_int), ("seed", ctypes.c_uint64),
                ("objectives", ctypes.POINTER(ctypes.c_char_p)), ("objective_count", ctypes.c_size_t),
                ("fields", ctypes.POINTER(ctypes.c_char_p)), ("field_count", ctypes.c_size_t),
                ("where", ctypes.POINTER(ctypes.c_char_p)), ("where_count", ctypes.c_size_t),
                ("top", ctypes.c_int64), ("pareto", ctypes.c_bool), ("remap", ctypes.c_bool)]


class SweepProgress(ctypes.Structure):
    _fields_ = [("done", ctypes.c_int64), ("total", ctypes.c_int64)]


SWEEP_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(SweepProgress))


class SweepRunOptions(Options):
    _fields_ = [("jobs", ctypes.c_int), ("shard", ctypes.c_int64), ("shard_count", ctypes.c_int64), ("points", WRITE),
                ("points_user", ctypes.c_void_p), ("points_format", ctypes.c_int), ("sample_for_plot", ctypes.c_bool),
                ("progress", SWEEP_PROGRESS), ("progress_user", ctypes.c_void_p)]


HANDLE, OUT = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
PROTOTYPES = {
    "neuromc_version": (ctypes.c_char_p, []),
    "neuromc_diags_new": (HANDLE, []),
    "neuromc_diags_free": (None, [HANDLE]),
    "neuromc_diags_count": (ctypes.c_size_t, [HANDLE]),
    "neuromc_diags_at": (ctypes.POINTER(Diag), [HANDLE, ctypes.c_size_t]),
    "neuromc_preset_load": (ctypes.c_int, [ctypes.c_char_p, ctypes.POINTER(PresetOptions), OUT, HANDLE]),
    "neuromc_preset_free": (None, [HANDLE]),
    "neuromc_preset_list": (ctypes.c_int, [ctypes.c_char_p, VISIT, ctypes.c_void_p, HANDLE]),
    "neuromc_preset_write": (ctypes.c_int, [HANDLE, WRITE, ctypes.c_void_p, HANDLE]),
    "neuromc_model_load": (ctypes.c_int, [ctypes.c_char_p, ctypes.POINTER(ModelOptions), OUT, HANDLE]),
    "neuromc_model_free": (None, [HANDLE]),
    "neuromc_model_inspect": (ctypes.c_int, [HANDLE, ctypes.POINTER(WriteOptions), WRITE, ctypes.c_void_p, HANDLE]),
    "neuromc_estimate": (ctypes.c_int, [HANDLE, HANDLE, ctypes.POINTER(EstimateOptions), OUT, HANDLE]),
    "neuromc_map_model": (ctypes.c_int, [HANDLE, HANDLE, ctypes.POINTER(EstimateOptions), OUT, HANDLE]),
    "neuromc_map_free": (None, [HANDLE]),
    "neuromc_map_write": (ctypes.c_int, [HANDLE, ctypes.POINTER(WriteOptions), WRITE, ctypes.c_void_p, HANDLE]),
    "neuromc_sweep_new": (ctypes.c_int, [ctypes.POINTER(SweepOptions), OUT, HANDLE]),
    "neuromc_sweep_free": (None, [HANDLE]),
    "neuromc_sweep_run": (ctypes.c_int, [HANDLE, ctypes.POINTER(SweepRunOptions), OUT, HANDLE]),
    "neuromc_sweep_result_free": (None, [HANDLE]),
    "neuromc_sweep_write": (ctypes.c_int, [HANDLE, ctypes.POINTER(WriteOptions), WRITE, ctypes.c_void_p, HANDLE]),
    "neuromc_sweep_plot": (ctypes.c_int, [HANDLE, ctypes.c_int, WRITE, ctypes.c_void_p, HANDLE]),
    "neuromc_report_free": (None, [HANDLE]),
    "neuromc_report_write": (ctypes.c_int, [HANDLE, ctypes.POINTER(WriteOptions), WRITE, ctypes.c_void_p, HANDLE]),
}


def candidates():
    """Where the library may be: $NEUROMC_LIBRARY, the linker's path, a build beside this package."""
    if os.environ.get("NEUROMC_LIBRARY"):
        yield os.environ["NEUROMC_LIBRARY"]
        return
    found = ctypes.util.find_library("neuromc")
    if found:
        yield found
    yield "libneuromc.so.0"
    yield str(pathlib.Path(__file__).resolve().parents[2] / "build" / "libneuromc.so.0")


def load():
    reasons = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
            continue
        for name, (result, arguments) in PROTOTYPES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError("libneuromc was not found: install it (make install), or name it in $NEUROMC_LIBRARY\n"
                      + "\n".join(reasons))
