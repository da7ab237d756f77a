"""What a heading's column holds: one role, by its phrases (spec 5.3, 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parsers.quotes.headings.measuring import is_sided, measure_of, side_of

if TYPE_CHECKING:
    from parsers.quotes.headings.phrases import Heading

LEVEL, SIZE, IGNORED, UNKNOWN = "level", "size", "ignored", "unknown"
"""Roles beside the field names of headings in the lexicon."""

IDENTIFIERS = frozenset(
    [
        "isin",
        "cusip",
        "identifier",
        "sedol",
        "figi",
        "lei",
        "wkn",
        "valor",
        "loanx_id",
        "red_code",
        "common_code",
        "local_code",
    ]
)
NAMES = frozenset({"description", "issuer", "ticker"})
IDENTITY = IDENTIFIERS | NAMES | {"tenor", "maturity", "coupon", "tranche", "part", "strike", "option_struct"}
"""Fields that may tell the rows of a table apart."""
OF_BONDS = frozenset({"maturity", "coupon"})
"""Those that only bonds have, and none by itself."""
NAMING = IDENTITY - OF_BONDS

_BENCHMARKED = {"price", "yield_pct", "rate"}  # of a benchmark, these are not the bond's
_OF_MONEY = {"unit", "currency"}
_MONEYS = {"1000", "1000000"}


def role_of(found: Heading) -> str:
    """The first reading that applies: what is no quote, a size, a level, a field, a point of a curve."""
    said = found.meanings
    measure = measure_of(found)
    has_side = side_of(found) is not None or "kind" in said
    readings = (
        (SIZE, said.get("ignore") == ("volume",) and _is_of_size(found)),
        (IGNORED, _is_no_quote(found, measure)),
        ("orig_face", "size" in said and found.one("field") == "orig_face"),
        (SIZE, _is_size(found, measure)),
        (IGNORED, _is_of_no_level(found, measure)),
        ("rate", measure == "rate" and not has_side),
        (LEVEL, measure is not None or has_side or "option_struct" in said or "bare" in said),
        ("ref_price", "ref_price" in said.get("field", ())),
        (_field(found) if "field" in said else UNKNOWN, "field" in said),
        ("receive", "ambiguous" in said),
        (LEVEL, "tenor" in said or "month" in said),
    )
    return next((role for role, applies in readings if applies), UNKNOWN)


def _is_no_quote(found: Heading, measure: str | None) -> bool:
    """Whether a word says that a column is none of a quote: a record, a speed, a number of the row."""
    said = found.meanings
    if "ignore" in said or "record" in said:
        return True
    return ("speed" in said and measure is None) or ("ordinal" in said and len(said) == 1)


def _is_size(found: Heading, measure: str | None) -> bool:
    """Whether a column has sizes: by its word, or by a unit of money and nothing else."""
    said = found.meanings
    if "size" in said:
        return True
    if found.one("unit") in _MONEYS and "description" in said.get("field", ()):  # `Claims ($mm)`
        return True
    if "unit" not in said:
        return False
    is_of_side = measure in {None, "vol"} and bool(is_sided(said) or measure)
    return is_of_side or (not found.unknown and said.keys() <= _OF_MONEY)  # `$mm`


def _is_of_no_level(found: Heading, measure: str | None) -> bool:
    """Whether a measure is the benchmark's, the issue's, a result, or several at once."""
    if measure == "" or found.one("kind") == "result":
        return True
    field = found.one("field")
    if field == "benchmark" and measure in _BENCHMARKED:
        return True
    return field == "orig_face" and measure is not None  # `Orig Sprd`


def _is_of_size(found: Heading) -> bool:
    """`Volume (US$ mil)`, `Volume venda`; `Volume` alone is that of the day."""
    return not _OF_MONEY.isdisjoint(found.meanings) or is_sided(found.meanings) or "m" in found.unknown


def _field(found: Heading) -> str:
    """The field named; `Cód. SELIC` is no code of any kind, `Ref. rating` and `Bond ccy` no name."""
    fields = found.meanings["field"]
    if len(fields) == 2 and fields[0] in NAMES and fields[1] in {"rating", "sector", "currency"}:
        return fields[1]
    kinds = (field for field in fields if field in IDENTIFIERS and field != "identifier")
    return next(kinds, fields[0]) if fields[0] == "identifier" else fields[0]
