"""Which identifier names the instrument of a row (spec 2.1, 3; rulings 10, 18)."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from parsers.codes import Flag
from parsers.quotes.draft import Instrument
from parsers.values.identifiers import KINDS, check, derived, in_conflict, names_an_issue


class Identity(Struct, frozen=True, gc=False):
    """The identifiers of a row: by kind, and the one that names it."""

    columns: dict[str, str]
    instrument_id: str | None
    id_type: str  # of the instrument_id, else `description`
    is_derived: bool  # a column was computed out of the ISIN, not printed
    flags: frozenset[Flag]


def identity(instrument: Instrument) -> Identity:
    """What names an instrument."""
    return _identity(instrument.identifiers)


@lru_cache(maxsize=4096)  # the same bonds come every day
def _identity(identifiers: tuple[tuple[str, str], ...]) -> Identity:
    """The best valid identifier (isin > cusip > ...), or the preferred one where two disagree (spec 3.11).

    An identifier whose check digit is wrong names nothing, but for RED codes, whose check is an observation.
    """
    columns, flags = _columns(identifiers)
    inner = derived(columns["isin"]) if "isin" in columns else None
    best = next((kind for kind in KINDS if kind in columns and names_an_issue(kind, columns[kind])), None)
    if in_conflict(columns):
        flags.add(Flag.id_conflict)
        best = next((kind for kind, _ in identifiers if kind in columns and kind in KINDS), best)
    is_derived = inner is not None and inner[0] not in columns
    if inner is not None and is_derived:
        columns[inner[0]] = inner[1]
    return Identity(columns, columns[best] if best else None, best or "description", is_derived, frozenset(flags))


def describes(instrument: Instrument) -> bool:
    """Whether anything but an identifier tells the instrument."""
    return bool(instrument.description or instrument.ticker or instrument.issuer)


def _columns(identifiers: tuple[tuple[str, str], ...]) -> tuple[dict[str, str], set[Flag]]:
    columns: dict[str, str] = {}
    flags: set[Flag] = set()
    for kind, value in identifiers:
        is_valid = check(kind, value)
        if is_valid or kind == "red_code":
            columns.setdefault(kind, value)
        if not is_valid and kind in KINDS:
            flags.add(Flag.id_check_failed)
    return columns, flags
