"""Outcomes as JSON and back: what a sandboxed child sends its parent. Never pickle.

A value that is its field's default is left out. Decimals are strings, times ISO 8601, enums their values.
"""

from __future__ import annotations

import json

import msgspec

from parsers.outcome import MailOutcome

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
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise WireError(f"no outcome: {type(error).__name__}: {error}"[:200]) from error
