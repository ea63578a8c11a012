"""Errors as exceptions, and the checks that C cannot make because its types hold less than Python's."""
from __future__ import annotations

import math
from typing import Any, Iterable, Mapping, NoReturn, Optional, Sequence


class Error(Exception):
    """Something went wrong; `messages` holds every message as a dict (file, line, column, where, message, hint)."""

    def __init__(self, messages: list[dict[str, Any]]):
        self.messages = messages
        super().__init__("\n".join(_text(m) for m in messages) or "neuromc failed without a reason")


class UsageError(Error):
    """The call asks for something contradictory or unknown."""


class InputError(Error):
    """A model, trace or preset is malformed or cannot be understood."""


class UnsupportedError(Error):
    """Well-formed, but refused: strict, or what the reference refuses."""


class ReadWriteError(Error):
    """A file could not be read or written, or memory ran out."""


def _text(message: Mapping[str, Any]) -> str:
    place = ":".join(str(message[k]) for k in ("file", "line", "column") if message[k])
    parts = [p for p in (place, message["where"], message["message"]) if p]
    return ": ".join(parts) + (f" (hint: {message['hint']})" if message["hint"] else "")


def refuse(message: str, hint: Optional[str] = None) -> NoReturn:
    raise UsageError([{"severity": "error", "file": None, "line": None, "column": None, "where": None,
                       "message": message, "hint": hint}])


def choice(name: str, value: Any, known: Iterable[Any]) -> Any:
    known = list(known)
    if value not in known:
        refuse(f"{name}: there is no {value!r}", ", ".join(str(k) for k in known if k is not None))
    return value


def listed(name: str, values: Any) -> Sequence[Any]:
    """A text is a sequence too, of letters."""
    if isinstance(values, (str, bytes)):
        refuse(f"{name}: expected a list of texts, found {values!r}", f"[{values!r}]")
    return list(values)


def integer(name: str, value: Any, bits: int, signed: bool, least: Optional[int] = None) -> int:
    bottom, top = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    bottom = bottom if least is None else least
    if not isinstance(value, int) or not bottom <= value <= top:
        refuse(f"{name}: expected a whole number from {bottom:,} to {top:,}, found {value!r}")
    return value


def real(name: str, value: Any) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        refuse(f"{name}: expected a finite number, found {value!r}")
    return value
