"""Spread prefixes: `T+`, `MS-2`, `G+145`, `62/58dm`: which spread, over what (spec 4.7, ruling 1)."""

from __future__ import annotations

from msgspec import Struct

from parsers.codes import QuoteType
from parsers.lexicon import compiled, spelled


class SpreadPrefix(Struct, frozen=True):
    """What stands before a spread's sign. `quote_type` None: a bare sign, the context decides."""

    quote_type: QuoteType | None
    benchmark: str | None
    end: int  # where the level starts, at its sign


_PREFIXES: dict[str, tuple[QuoteType, str | None]] = {
    "T": (QuoteType.spread_bench_bp, "UST"),
    "UST": (QuoteType.spread_bench_bp, "UST"),
    "CT": (QuoteType.spread_bench_bp, "UST"),
    "B": (QuoteType.spread_bench_bp, None),
    "BMK": (QuoteType.spread_bench_bp, None),
    "BM": (QuoteType.spread_bench_bp, None),
    "CAN": (QuoteType.spread_bench_bp, "CAN"),
    "GOC": (QuoteType.spread_bench_bp, "CAN"),
    "C": (QuoteType.spread_bench_bp, "CAN"),
    "DBR": (QuoteType.spread_bench_bp, "DBR"),
    "BUND": (QuoteType.spread_bench_bp, "DBR"),
    "BUNDS": (QuoteType.spread_bench_bp, "DBR"),
    "UKT": (QuoteType.spread_bench_bp, "UKT"),
    "GILT": (QuoteType.spread_bench_bp, "UKT"),
    "GILTS": (QuoteType.spread_bench_bp, "UKT"),
    "MMD": (QuoteType.spread_mmd_bp, "MMD"),
    "G": (QuoteType.spread_g_bp, None),
    "I": (QuoteType.spread_i_bp, None),
    "Z": (QuoteType.spread_z_bp, None),
    "MS": (QuoteType.spread_asw_bp, "MS"),
    "ASW": (QuoteType.spread_asw_bp, None),
    "A": (QuoteType.spread_asw_bp, None),
    "OAS": (QuoteType.spread_oas_bp, None),
    "J": (QuoteType.spread_swap_bp, None),
    "N": (QuoteType.spread_swap_bp, None),
    "S": (QuoteType.dm_bp, None),
    "SOFR": (QuoteType.dm_bp, "SOFR"),
    "E": (QuoteType.dm_bp, None),
    "1ME": (QuoteType.dm_bp, None),
    "3ME": (QuoteType.dm_bp, None),
    "6ME": (QuoteType.dm_bp, None),
    "EURIBOR": (QuoteType.dm_bp, None),
    "ESTR": (QuoteType.dm_bp, "ESTR"),
    "€STR": (QuoteType.dm_bp, "ESTR"),
    "SONIA": (QuoteType.dm_bp, "SONIA"),
    "DM": (QuoteType.dm_bp, None),
}
_CLASS_CURVE = {  # the same index as a benchmark curve of money markets, or as the leg of a return swap (ruling 27)
    "cd": QuoteType.spread_bench_bp,
    "commercial_paper": QuoteType.spread_bench_bp,
    "trs": QuoteType.funding_spread_bp,
}
PREFIX = spelled("(?:{spread_prefix}|[136]mE|[CGIZAJNSE])")
"""The prefixes as printed, longest first."""
_PREFIX = compiled(
    rf"((?i:{PREFIX})(?=\s?[+])|{PREFIX}|ms|asw)?\s?(?=[+\-−–]\s?\d|[+]\s?/)|(?P<measure>{{spread_measure}})\s(?=\d)"
)
"""In small letters in front of a plus: `ms+61`, `t+85`; in front of a minus only what is no word's letter.

What is no curve but a measure needs no sign: `DM 118`."""


def spread_prefix(text: str, asset_class: str = "unknown") -> SpreadPrefix | None:
    """The prefix at the start of a spread level: `T+85/80`, `MS-2/-5`, `+120/115`, `DM 118`; else None."""
    match = _PREFIX.match(text)
    if match is None:
        return None
    name = match[1] or match["measure"]
    if name is None:
        return SpreadPrefix(None, None, match.end())
    quote_type, benchmark = curve(name, asset_class)
    return SpreadPrefix(quote_type, benchmark, match.end())


def curve(name: str, asset_class: str = "unknown") -> tuple[QuoteType, str | None]:
    """Quote type and benchmark of a curve letter or index in this class."""
    quote_type, benchmark = _PREFIXES[name.upper()]
    if quote_type is QuoteType.dm_bp and name.upper() != "DM":
        quote_type = _CLASS_CURVE.get(asset_class, quote_type)
        if asset_class not in {"cd", "commercial_paper"}:
            benchmark = None
    return quote_type, benchmark
