"""The truth about a mail, as a file has it or a user types it: its quotes in the gold form."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from parsers.quote import Quote
from parsers.scoring.pairing import NAMES, ROW_FIELDS, Line

_DECIMALS = frozenset({"bid", "ask", "mid", "talk_low", "talk_high", "bid_size", "ask_size", "coupon"})


class BadTruth(ValueError):
    """It is none; the message says where and why."""

    exit_code = 2


def read_truth(file: Path) -> list[Line]:
    """The quotes of a file in the form of the gold truth. Raises BadTruth, OSError."""
    found: list[Line] = []
    for number, text in enumerate(file.read_bytes().splitlines(), 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except ValueError as error:
            raise BadTruth(f"{file}:{number}: no JSON: {error}") from error
        if not isinstance(line, dict) or "kind" not in line:
            raise BadTruth(f'{file}:{number}: no line of a truth: an object with "kind", as {{"kind": "quote", …}}')
        if line["kind"] == "quote":
            found.append(_checked(line, f"{file}:{number}"))
    return found


def typed(words: str, line: Line) -> dict[str, Any]:
    """The quote with what a user types of it: `bid=99.5 currency=EUR`; nothing behind `=` takes it away.

    Raises BadTruth.
    """
    said = dict(line)
    try:
        parts = shlex.split(words)
    except ValueError as error:
        raise BadTruth(f"{words}: {error}") from error
    for part in parts:
        name, mark, text = part.partition("=")
        if not mark or name not in (*NAMES, *ROW_FIELDS):
            raise BadTruth(f"{part}: no field=value; the fields are {', '.join((*NAMES, *ROW_FIELDS))}")
        said.pop(name, None)
        if text:
            said[name] = text
    return _checked(said, words)


def _checked(line: Mapping[str, Any], where: str) -> dict[str, Any]:
    if not any(line.get(name) for name in NAMES):
        raise BadTruth(f"{where}: a quote names its instrument, by {' or '.join(NAMES)}")
    for name, value in line.items():
        if name != "kind" and name not in Quote.__struct_fields__:
            raise BadTruth(f"{where}: no quote has a field {name!r}")
        try:
            is_one = name not in _DECIMALS or value is None or Decimal(str(value)).is_finite()
        except InvalidOperation:
            is_one = False
        if not is_one:
            raise BadTruth(f"{where}: {name} {value!r} is no number")
    return dict(line)
