"""Outcomes as JSON and back: what a sandboxed child sends its parent. Never pickle.

A value that is its field's default is left out. Decimals are strings, times ISO 8601, enums their values.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from parsers.outcome import MailOutcome

_Convert = Callable[[Any], Any]


class WireError(ValueError):
    """The bytes are no outcome."""


def to_wire(outcome: MailOutcome) -> bytes:
    """The outcome as one JSON object."""
    return json.dumps(_plain(outcome), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def from_wire(data: bytes) -> MailOutcome:
    """The outcome again.

    Raises:
        WireError: the bytes say something else.
    """
    try:
        outcome = _decoder(MailOutcome)(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError, InvalidOperation, RecursionError) as error:
        raise WireError(f"no outcome: {type(error).__name__}: {error}"[:200]) from error
    if not isinstance(outcome, MailOutcome):
        raise WireError("no outcome")
    return outcome


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    found = {}
    for name, default in _defaults(value.__class__):
        item = getattr(value, name)
        if item is not default and item != default:
            found[name] = _plain(item)
    return found


@lru_cache(maxsize=16)
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))


@lru_cache(maxsize=64)
def _decoder(hint: Any) -> _Convert:
    """Reads a value of this type, and nothing else."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    if get_origin(hint) is UnionType:
        (inner,) = (arg for arg in get_args(hint) if arg is not NoneType)
        return _optional(_decoder(inner))
    if get_origin(hint) is tuple:
        return _sequence(_decoder(get_args(hint)[0]))
    return _member(hint) if issubclass(hint, Enum) else _object(hint)


def _optional(decode: _Convert) -> _Convert:
    return lambda value: None if value is None else decode(value)


def _sequence(decode: _Convert) -> _Convert:
    return lambda value: tuple(decode(item) for item in _checked(value, list))


def _member(kind: type[Enum]) -> _Convert:
    return kind


def _object(kind: Any) -> _Convert:
    decoders = {name: _decoder(hint) for name, hint in get_type_hints(kind).items()}
    return lambda value: kind(**{name: decoders[name](item) for name, item in _checked(value, dict).items()})


def _checked(value: Any, kind: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


_SCALARS: dict[Any, _Convert] = {
    str: lambda value: _checked(value, str),
    int: lambda value: _checked(value, int),
    bool: lambda value: _checked(value, bool),
    Decimal: lambda value: Decimal(_checked(value, str)),
    date: lambda value: date.fromisoformat(_checked(value, str)),
    datetime: lambda value: datetime.fromisoformat(_checked(value, str)),
}
