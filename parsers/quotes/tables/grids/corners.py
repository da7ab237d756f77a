"""What names the rows of a market or curve under a blank corner, or under one with the curve's name (spec 5.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.lexicon import compiled
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading, option_struct
from parsers.quotes.headings.roles import IGNORED, LEVEL, NAMING, UNKNOWN
from parsers.quotes.tables.columns.sided import are_markets, sided
from parsers.quotes.tables.grids.worded import worded
from parsers.values.currencies import CODE, PAIR
from parsers.values.indices import INDEX
from parsers.values.times.tenors import tenor

_SIDES = frozenset({"bid", "ask"})
_OF_INDICES = frozenset({"1M", "3M", "6M"})
_OVERNIGHT = frozenset({"ON", "TN", "SN"})
"""Terms that nothing but money is lent for."""
_LEAST_TENORS = _LEAST_NAMES = 2
_CURVE = compiled(
    rf"(?<!\w)(?:{CODE}|{PAIR.pattern}|{INDEX}|{{inflation_index}}|"
    r"\d{1,2}[mM][eE]|(?:\d{1,2}s){2})\b"
)
_COUPON = re.compile(r"[1-9](?:\.(?:0|5)0?)?")
"""Of pools."""
_BASIS = re.compile(r"\b(?:\d{1,2}s){2}\b")


def named(columns: tuple[Column, ...], below: Sequence[Row], first: int) -> tuple[Column, ...]:
    """The columns with one more on their left that names the rows of a market under no heading: a blank corner."""
    columns = _of_options(sided(worded(_lined(columns, below), below), below), below)
    if not columns or any(found.role in NAMING for found in columns):
        return columns
    beside = _beside(columns, below)
    if beside is None:
        return columns
    least = _least(columns, beside)
    for at in range(columns[0].at - 1, first - 1, -1):
        texts = [text for row in below if (text := row.cells[at].text)]
        if beside == "months":  # `5.0`, `5.5` below a blank beside `FNCL Dec`, `FNCL Jan`
            role = "coupon" if len(texts) >= least and all(map(_COUPON.fullmatch, texts)) else None
        elif len(texts) >= least and all(map(_has_letter, texts)):
            role = _role_of_names(texts, columns, below, beside)
        else:
            continue
        return (Column(at=at, text="", role=role), *columns) if role is not None else columns
    return columns


def _least(columns: Sequence[Column], beside: str) -> int:
    """The names that a column needs: one beside an axe, but of months."""
    return 1 if beside != "months" and any(found.role == "axe" for found in columns) else _LEAST_NAMES


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _beside(columns: Sequence[Column], below: Sequence[Row]) -> str | None:
    """What stands right of a blank corner: months of delivery, a market, a curve by tenor, or curves side by side."""
    if len(columns) >= _LEAST_NAMES and all(found.month for found in columns):
        return "months"
    if {found.side for found in columns} >= _SIDES or any(found.role in {"maturity", "coupon"} for found in columns):
        return "market"
    if sum(1 for found in columns if found.tenor and not _is_of_index(found)) >= _LEAST_TENORS:
        return "curve"
    return "curves" if all(map(_is_curve, columns)) or are_markets(columns, below) else None


def _role_of_names(texts: Sequence[str], columns: Sequence[Column], below: Sequence[Row], beside: str) -> str | None:
    """What the names below a blank corner are: options, tenors, a description; None where nothing proves it."""
    is_of_options = all(map(option_struct, texts))
    tenors = {tenor(text) for text in texts}
    role = "option_struct" if is_of_options else "tenor" if None not in tenors else "description"
    if beside == "curves":  # `EUR 6m | GBP SONIA` over tenors
        return role if role != "description" else None
    if beside == "market" or is_of_options or any(found.role == "axe" for found in columns):
        return role
    # expiries beside tenors need no word, either; a square of the same tenors is no grid of prices
    if role == "tenor" and tenors != {found.tenor for found in columns}:
        return role
    is_told = any(found.tenor in _OVERNIGHT for found in columns) or are_markets(columns, below)
    return role if is_told else None


def _of_options(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, the first for the structures of options where its heading is the pair that they are on."""
    lead = columns[0] if columns else None
    if lead is None or lead.role != UNKNOWN or lead.title is None or PAIR.fullmatch(lead.title) is None:
        return columns
    texts = [text for row in below if (text := row.cells[lead.at].text)]
    is_of_options = len(texts) >= _LEAST_NAMES and all(map(option_struct, texts))
    return (replace(lead, role="option_struct"), *columns[1:]) if is_of_options else columns


def _lined(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, the first for the names where its heading counts rows and they are named: `Line` over bonds."""
    lead = columns[0] if columns else None
    if lead is None or lead.role != IGNORED or "ordinal" not in heading(lead.text).meanings:
        return columns
    texts = [text for row in below if (text := row.cells[lead.at].text)]
    is_named = len(texts) >= _LEAST_NAMES and all(" " in text and any(map(str.isalpha, text)) for text in texts)
    return (replace(lead, role="description"), *columns[1:]) if is_named else columns


def over_tenors(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """`USDMXN` in the corner over `1W`, `1M`, `1Y`: the first column has the tenors of what its heading names.

    Where nothing beside it says what it is, each further column of currencies or an index is a level of that curve.
    """
    if not columns:
        return columns
    lead, *rest = columns
    if _is_open(lead):  # `Canada T-bills` names no rate of theirs
        texts = [text for row in below if (text := row.cells[lead.at].text)]
        if len(texts) < _LEAST_TENORS or not all(map(tenor, texts)):
            return columns
        name = lead.text if lead.option_struct else lead.title  # `GBP ATM`
        title = name if any(sum(map(str.isupper, word)) > 1 for word in lead.text.split()) else None
        lead = replace(lead, role="tenor", title=title)  # `Zeitraum` names no curve
    elif lead.role not in {"tenor", "coupon", "option_struct"}:
        return columns
    return (lead, *_curves(rest, below))


def _is_open(lead: Column) -> bool:
    """Whether the first heading may be over tenors: unknown, of maturities, or a level that is on no side."""
    if lead.role in {UNKNOWN, "maturity"}:
        return True
    return lead.role == LEVEL and not lead.side and bool(not lead.clear or lead.option_struct)


def _curves(columns: Sequence[Column], below: Sequence[Row]) -> Sequence[Column]:
    """Columns beside tenors as levels of the curves that their headings name, if all are: `Tenor | Ford | GM`."""
    told = [found for found in columns if found.role not in {IGNORED, "axe"}]  # `Tenor | SOFR | Chg | ESTR | Chg`
    if told and all(map(_is_curve, told)):
        return [_of_curve(found) if found in told else found for found in columns]
    rest = [replace(found, role=UNKNOWN, tenor=None) if _is_on_the_run(found) else found for found in columns]
    if len(rest) > 1 and all(found.role == UNKNOWN for found in rest) and are_markets(rest, below):
        return [replace(found, role=LEVEL, title=found.text) for found in rest]
    return columns


def _is_on_the_run(found: Column) -> bool:
    """`10Y OTR` beside `GC`, over terms of repo: a collateral, and no tenor."""
    return found.tenor is not None and "OTR" in found.text


def _of_curve(found: Column) -> Column:
    """`HICPxT`; `3s6s`, which is a basis."""
    measure = "basis_bp" if _BASIS.search(found.text) else None
    return replace(found, role=LEVEL, title=found.title or found.text, tenor=None, measure=measure, benchmark=None)


def _is_curve(found: Column) -> bool:
    is_open = found.role in {UNKNOWN, "benchmark"} or _is_of_index(found)
    return is_open and _CURVE.search(found.text) is not None


def _is_of_index(found: Column) -> bool:
    """`EUR 6m`, `ESTR/6M`, whose months are those of what is paid against."""
    is_of_months = found.role == LEVEL and found.side is None and found.tenor in _OF_INDICES
    return is_of_months and (found.currency is not None or _CURVE.search(found.text) is not None)
