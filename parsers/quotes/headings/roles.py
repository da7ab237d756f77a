"""What a heading's column holds: one role, by its phrases (spec 5.3, 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parsers.quotes.headings.measuring import is_sided, measure_of, side_of

if TYPE_CHECKING:
    from parsers.quotes.headings.phrases import Heading

LEVEL, SIZE, IGNORED, UNKNOWN = "level", "size", "ignored", "unknown"
"""Roles beside the field names of `phrases.toml`."""

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
    is_about_the_benchmark = found.one("field") == "benchmark" and measure in _BENCHMARKED
    is_unclear = measure == "" or found.one("kind") == "result"
    is_of_the_issue = measure is not None and found.one("field") == "orig_face"  # `Orig Sprd`
    readings = (
        (SIZE, said.get("ignore") == ("volume",) and _is_of_size(found)),
        (IGNORED, "ignore" in said or "record" in said or ("speed" in said and measure is None)),
        (IGNORED, "ordinal" in said and len(said) == 1),
        ("orig_face", "size" in said and found.one("field") == "orig_face"),
        (
            SIZE,
            "size" in said
            or ("unit" in said and measure in {None, "vol"} and (is_sided(said) or measure))
            or is_of_pieces(found)
            or ("unit" in said and not found.unknown and said.keys() <= _OF_MONEY)  # `$mm`
            or (found.one("unit") in _MONEYS and "description" in said.get("field", ())),  # `Claims ($mm)`
        ),
        (IGNORED, is_about_the_benchmark or is_unclear or is_of_the_issue),
        ("rate", measure == "rate" and not has_side),
        (LEVEL, measure is not None or has_side or "option_struct" in said or "bare" in said),
        ("ref_price", "ref_price" in said.get("field", ())),
        (_field(found) if "field" in said else UNKNOWN, "field" in said),
        ("receive", "ambiguous" in said),
        (LEVEL, "tenor" in said or "month" in said),
    )
    return next((role for role, applies in readings if applies), UNKNOWN)


def _is_of_size(found: Heading) -> bool:
    """`Volume (US$ mil)`, `Volume venda`; `Volume` alone is that of the day."""
    return not _OF_MONEY.isdisjoint(found.meanings) or is_sided(found.meanings) or "m" in found.unknown


def is_of_pieces(found: Heading) -> bool:
    """`Vol. (Stk)`."""
    return found.one("measure") == "vol" and found.one("field") == "ref_price"


def _field(found: Heading) -> str:
    """The field named; `Cód. SELIC` is no code of any kind, `Ref. rating` and `Bond ccy` no name."""
    fields = found.meanings["field"]
    if len(fields) == 2 and fields[0] in NAMES and fields[1] in {"rating", "sector", "currency"}:
        return fields[1]
    kinds = (field for field in fields if field in IDENTIFIERS and field != "identifier")
    return next(kinds, fields[0]) if fields[0] == "identifier" else fields[0]
