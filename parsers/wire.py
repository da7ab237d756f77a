"""Outcomes as JSON and back: what a sandboxed child sends its parent. Never pickle.

A value that is its field's default is left out. Decimals are strings, times ISO 8601, enums their values.
"""

from __future__ import annotations

import json
from decimal import Decimal
from operator import attrgetter
from typing import get_args

import msgspec

from parsers.outcome import MailOutcome
from parsers.quote import Quote

_MAX_OBJECTS = 400_000  # two rows of quotes or refusals for each of a sheet's; each takes 700 bytes of memory
_MAX_PLACES = 40  # digits before the point, and after it: a number of ten characters could stand for a gigabyte
_NUMBERS = attrgetter(
    *(field.name for field in msgspec.structs.fields(Quote) if Decimal in get_args(field.type) or field.type is Decimal)
)
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(MailOutcome)


class WireError(ValueError):
    """The bytes are no outcome."""


def to_wire(outcome: MailOutcome) -> bytes:
    """The outcome as one JSON object; half a surrogate pair, which UTF-8 cannot hold, becomes `?`."""
    try:
        return _ENCODER.encode(outcome)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(outcome), ensure_ascii=False).encode("utf-8", "replace")


def from_wire(data: bytes) -> MailOutcome:
    """The outcome again.

    Raises:
        WireError: the bytes say something else.
    """
    if (objects := data.count(b'{"')) > _MAX_OBJECTS:  # within a text the quote has a backslash in front
        raise WireError(f"an outcome of {objects} objects")
    try:
        outcome = _DECODER.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise WireError(f"no outcome: {type(error).__name__}: {error}"[:200]) from error
    if not all(_is_writable(number) for quote in outcome.quotes for number in _NUMBERS(quote) if number is not None):
        raise WireError(f"a number with more than {_MAX_PLACES} places")
    return outcome


def _is_writable(number: Decimal) -> bool:
    _, digits, exponent = number.as_tuple()
    return isinstance(exponent, int) and exponent >= -_MAX_PLACES and len(digits) + exponent <= _MAX_PLACES
