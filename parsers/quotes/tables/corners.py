"""What names the rows of a market or curve under a blank corner, or under one with the curve's name (spec 5.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading, option_struct
from parsers.quotes.headings.roles import IGNORED, LEVEL, NAMING, UNKNOWN
from parsers.quotes.tables.sided import are_markets, sided
from parsers.quotes.tables.worded import worded
from parsers.values.currencies import CODE, PAIR
from parsers.values.indices import INDEX
from parsers.values.tenors import tenor

_SIDES = frozenset({"bid", "ask"})
_OF_INDICES = frozenset({"1M", "3M", "6M"})
_OVERNIGHT = frozenset({"ON", "TN", "SN"})
"""Terms that nothing but money is lent for."""
_LEAST_TENORS = _LEAST_NAMES = 2
_CURVE = re.compile(
    rf"(?<!\w)(?:{CODE}|{PAIR.pattern}|{INDEX}|HICPx?T?|(?:UK ?)?RPI|(?:US ?|FR)?CPIx?|"
    r"\d{1,2}[mM][eE]|(?:\d{1,2}s){2})\b"
)
_COUPON = re.compile(r"[1-9](?:\.(?:0|5)0?)?")
"""Of pools."""
_BASIS = re.compile(r"\b(?:\d{1,2}s){2}\b")


def named(columns: tuple[Column, ...], below: Sequence[Row], first: int) -> tuple[Column, ...]:
    """The columns with one more on their left that names the rows of a market under no heading: a blank corner."""
    columns = _of_options(sided(worded(_lined(columns, below), below), below), below)
    roles = {found.role for found in columns}
    is_market = {found.side for found in columns} >= _SIDES or not roles.isdisjoint({"maturity", "coupon"})
    is_curve = sum(1 for found in columns if found.tenor and not _is_of_index(found)) >= _LEAST_TENORS
    are_curves = not (is_market or is_curve) and (all(map(_is_curve, columns)) or are_markets(columns, below))
    is_delivered = len(columns) >= _LEAST_NAMES and all(found.month for found in columns)
    if not columns or not (is_market or is_curve or are_curves or is_delivered) or not roles.isdisjoint(NAMING):
        return columns
    for at in range(columns[0].at - 1, first - 1, -1):
        texts = [text for row in below if (text := row.cells[at].text)]
        if is_delivered:  # `5.0`, `5.5` below a blank beside `FNCL Dec`, `FNCL Jan`
            are_coupons = len(texts) >= _LEAST_NAMES and all(map(_COUPON.fullmatch, texts))
            return (Column(at=at, text="", role="coupon"), *columns) if are_coupons else columns
        if len(texts) >= (1 if "axe" in roles else _LEAST_NAMES) and all(any(map(str.isalpha, text)) for text in texts):
            is_of_options = all(map(option_struct, texts))
            tenors = {tenor(text) for text in texts}
            role = "option_struct" if is_of_options else "tenor" if None not in tenors else "description"
            # expiries beside tenors need no word, either; a square of the same tenors is no grid of prices
            is_grid = role == "tenor" and tenors != {found.tenor for found in columns}
            if are_curves:  # `EUR 6m | GBP SONIA` over tenors
                return (Column(at=at, text="", role=role), *columns) if role != "description" else columns
            is_told = is_market or is_of_options or is_grid or "axe" in roles or are_markets(columns, below)
            is_told = is_told or any(found.tenor in _OVERNIGHT for found in columns)
            return (Column(at=at, text="", role=role), *columns) if is_told else columns
    return columns


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
    lead = columns[0] if columns else None
    is_corner = lead is not None and lead.role == LEVEL and not lead.side
    is_open = lead is not None and (
        lead.role in {UNKNOWN, "maturity"} or (is_corner and bool(not lead.clear or lead.option_struct))
    )
    if lead is None or not (is_open or lead.role in {"tenor", "coupon", "option_struct"}):
        return columns
    if is_open:  # `Canada T-bills` names no rate of theirs
        texts = [text for row in below if (text := row.cells[lead.at].text)]
        if len(texts) < _LEAST_TENORS or not all(map(tenor, texts)):
            return columns
        name = lead.text if lead.option_struct else lead.title  # `GBP ATM`
        title = name if any(sum(map(str.isupper, word)) > 1 for word in lead.text.split()) else None
        columns = (replace(lead, role="tenor", title=title), *columns[1:])  # `Zeitraum` names no curve
    rest = [found for found in columns[1:] if found.role not in {IGNORED, "axe"}]  # `Tenor | SOFR | Chg | ESTR | Chg`
    if rest and all(map(_is_curve, rest)):
        return (columns[0], *(_of_curve(found) if found in rest else found for found in columns[1:]))
    rest = [replace(found, role=UNKNOWN, tenor=None) if _is_on_the_run(found) else found for found in columns[1:]]
    if len(rest) > 1 and all(found.role == UNKNOWN for found in rest) and are_markets(rest, below):
        return (columns[0], *(replace(found, role=LEVEL, title=found.text) for found in rest))  # `Tenor | Ford | GM`
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
