"""What a column holds: its heading's phrases weighed into one role (spec 5.3, 5.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.quotes.headings.phrases import heading
from parsers.values.currencies import CODE
from parsers.values.words import fold

if TYPE_CHECKING:
    from parsers.quotes.headings.phrases import Heading

MAX_PART = 300
"""Characters of a heading's cell; what is behind them is not searched."""

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

_GENERIC = {"price", "spread", "rate", "vol"}  # measures that a more precise word beside them replaces
_BENCHMARKED = {"price", "yield_pct", "rate"}  # of a benchmark, these are not the bond's
_CLOCKS = {"clock", "ignore", "language"}
_SAYING = {"option_struct", "side"}
_CROSS = re.compile(rf"\b(?:{CODE})\s?/\s?(?:{CODE})\b")
_INDEX = re.compile(
    r"(?<=\S)\s*(?:\((?:v\.?s?\.? )?(?:SONIA|SOFR|€STR|ESTR|EURIBOR|SARON|TONA|OIS|[36]mE)\)|v\.?s?\.?\s[136]m[es]?\b)",
    re.IGNORECASE,
)
_SCENARIO = re.compile(r"[+\-−–±]\s?\d{2,3}\s?bps?", re.IGNORECASE)  # of an analysis: `+25bp`
_WING = re.compile(r"\b(?:5|10|15|25|35)\s?(?:d|δ|Δ|delta)\s?(?:puts?|calls?|[pc])\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*[(\[].*?[)\]]\s*")


class Column(Struct, frozen=True, kw_only=True):
    """One column of a table."""

    at: int  # index of its cells in a row
    text: str  # its heading, parts joined by a space
    role: str = UNKNOWN
    side: str | None = None  # bid, ask, mid, both
    measure: str | None = None  # a quote type, or price, spread, rate, vol: the class says which
    kind: QuoteKind | None = None
    unit: Fraction | None = None  # multiplier of sizes
    counted: str | None = None  # shares, contracts: what a size counts
    mark: str | None = None  # bp, pct, pts, as printed in the heading
    thirty_seconds: bool = False
    tenor: str | None = None
    month: str | None = None  # as printed
    option_struct: str | None = None
    currency: str | None = None
    benchmark: str | None = None
    title: str | None = None  # words nobody knows: in grids the instrument
    record: str | None = None  # sure, likely: a column of a statement, a confirmation, research
    clock: bool = False  # days or times that the quotes are of
    clear: bool = True  # every word of the heading itself is known
    side_assumed: bool = False

    @property
    def is_level(self) -> bool:
        """Whether it holds prices of any measure."""
        return self.role == LEVEL


def column(at: int, parts: tuple[str, ...]) -> Column:
    """The meaning of a heading that stands in one cell or in several on top of each other, uppermost first."""
    if any(len(part) > MAX_PART for part in parts):
        parts = tuple(part[:MAX_PART] for part in parts)
    return _column(at, parts)


@lru_cache(maxsize=4096)
def _column(at: int, parts: tuple[str, ...]) -> Column:
    found = _meaning(parts)
    return replace(found, at=at) if at else found


@lru_cache(maxsize=4096)  # the same headings stand in other places, and names in other rows of a turned table
def _meaning(parts: tuple[str, ...]) -> Column:
    """As the first column."""
    text = " ".join(parts)
    crossed = _CROSS.search(text)
    if crossed is not None:  # `EUR/USD 25RR`: the pair is what is quoted, no currency
        rest = column(0, tuple(filter(None, (_CROSS.sub(" ", part).strip() for part in parts))))
        return replace(rest, text=text, title=crossed[0], clear=len(parts) > 1 and rest.clear)
    if _INDEX.search(text):  # `ASW (SONIA)`
        return replace(column(0, tuple(filter(None, (_INDEX.sub("", part) for part in parts)))), text=text)
    if (text.startswith("#") and len(text) > 1) or _WING.search(text):  # `# bids`; `25D Put`: no tenor of 25 days
        return Column(at=0, text=text, role=IGNORED)
    if _SCENARIO.fullmatch(text):
        return Column(at=0, text=text, role=IGNORED, record="sure")
    found = heading(text)
    if not found.meanings:
        return Column(at=0, text=text, title=_title(parts, found), clear=not (parts and heading(parts[-1]).unknown))
    own = heading(parts[-1]) if parts else found
    role = _role(found)
    if role == "description" and own.one("field") in IDENTIFIERS:  # `Anleihe` over `ISIN` and over `Name`
        role = own.meanings["field"][0]
    measure = _measure(found)
    return Column(
        at=0,
        text=text,
        role=role,
        side=_side(found),
        measure=measure if measure is not None else _over_a_curve(found, text),
        kind=_kind(found),
        unit=_unit(found),
        counted=_counted(found),
        mark=found.one("mark_unit"),
        thirty_seconds="notation" in found.meanings,
        tenor=found.one("tenor"),
        month=found.one("month") if len(found.meanings.get("month", ())) == 1 else None,  # `Dec/Jan Roll` is of both
        option_struct=found.one("option_struct"),
        currency=found.one("currency"),
        benchmark=found.one("benchmark"),
        title=_title(parts, found),
        record=found.one("record"),
        clock="clock" in found.meanings and not found.unknown and found.meanings.keys() <= _CLOCKS,
        clear=not (_but_digits(own.unknown) if "speed" in own.meanings else own.unknown),
    )


def _role(found: Heading) -> str:
    """The first reading that applies: what is no quote, a size, a level, a field, a point of a curve."""
    said = found.meanings
    measure = _measure(found)
    is_sided = _side(found) is not None or "kind" in said
    is_about_the_benchmark = found.one("field") == "benchmark" and measure in _BENCHMARKED
    is_unclear = measure == "" or found.one("kind") == "result"
    readings = (
        (IGNORED, "ignore" in said or "record" in said or ("speed" in said and measure is None)),
        (IGNORED, "ordinal" in said and len(said) == 1),
        ("orig_face", "size" in said and found.one("field") == "orig_face"),
        (SIZE, "size" in said or ("unit" in said and measure in {None, "vol"} and (_sided_at_all(said) or measure))),
        (IGNORED, is_about_the_benchmark or is_unclear),
        ("rate", measure == "rate" and not is_sided),
        (LEVEL, measure is not None or is_sided or "option_struct" in said or "bare" in said),
        ("ref_price", "ref_price" in said.get("field", ())),
        (found.one("field") or UNKNOWN, "field" in said),
        ("receive", "ambiguous" in said),
        (LEVEL, "tenor" in said or "month" in said),
    )
    return next((role for role, applies in readings if applies), UNKNOWN)


def _but_digits(words: tuple[str, ...]) -> tuple[str, ...]:
    """`Yld to 4 CPR`: the speed's number."""
    return tuple(word for word in words if not word.isdigit())


def _sided_at_all(said: Mapping[str, tuple[str, ...]]) -> bool:
    """`We Buy (mm)`, `B x A (MM)`."""
    return "side" in said or len(said.get("letter_side", ())) > 1


def _side(found: Heading) -> str | None:
    sides = set(found.meanings.get("side", ()))
    if "talk" in found.meanings.get("kind", ()):  # `Offer Talk`: the dealer's words about a client's list
        return None
    if {"bid", "ask"} <= sides:
        return "both"
    if sides:
        return found.one("side")
    letters = set(found.meanings.get("letter_side", ()))
    if not letters or not {"measure", "size"} & found.meanings.keys():
        return None
    return "both" if len(letters) > 1 else letters.pop()


def _measure(found: Heading) -> str | None:
    """The one measure of the heading; an empty text where it names two (`Price / Yield`)."""
    named = set(found.meanings.get("measure", ()))
    precise = named - _GENERIC
    if precise:
        only = next(iter(precise)) if len(precise) == 1 else _nested(precise)
        return "" if only == "yield_pct" and named & {"price", "spread"} else only
    if len(named) > 1:
        return ""
    in_bp = "bp" in found.meanings.get("mark_unit", ())
    if not named:
        return "spread" if in_bp and "side" in found.meanings else None
    generic = named.pop()
    if generic == "spread" and "benchmark" in found.meanings:
        return "spread_bench_bp"
    return "vol_normal_bp" if generic == "vol" and in_bp else generic


def _over_a_curve(found: Heading, text: str) -> str | None:
    """`Bid T+`, `10Y vs DBR`: the curve says what the level is."""
    is_over = ("+" in text and "side" in found.meanings) or "tenor" in found.meanings
    curve = found.one("benchmark") if is_over and "measure" not in found.meanings else None
    return {None: None, "MS": "spread_asw_bp", "MMD": "spread_mmd_bp"}.get(curve, "spread_bench_bp")


def _nested(precise: set[str]) -> str:
    """Of two precise measures the one that the other only explains: `CDS upfront` is an upfront."""
    for outer, inner in (
        ("cds_spread_bp", "upfront_pts"),
        ("spread_asw_bp", "spread_z_bp"),
        ("yield_pct", "real_yield_pct"),
    ):
        if precise == {outer, inner}:
            return inner
    return ""


def _kind(found: Heading) -> QuoteKind | None:
    kinds = found.meanings.get("kind", ())
    kind = "mark" if {"mark", "trade"} <= set(kinds) else found.one("kind")  # `Last close`
    return QuoteKind(kind) if kind and kind != "result" else None


def _unit(found: Heading) -> Fraction | None:
    unit = found.one("unit")
    return Fraction(unit) if unit else None


def _counted(found: Heading) -> str | None:
    sizes = found.meanings.get("size", ())
    if sizes and found.one("field") == "ref_price":  # `Volumen (Stk)`: pieces, no stock
        return "shares"
    return next((kind for kind in ("shares", "contracts", "par") if kind in sizes), None)


def _without_month(part: str, said: Heading) -> str:
    """`FN30 Dec`: the month is that of the delivery."""
    months = said.meanings.get("month", ())
    return " ".join(word for word in part.split() if not set(fold(word)) & set(months)) if months else part


def _title(parts: tuple[str, ...], found: Heading) -> str | None:
    if all(map(str.isdigit, found.unknown)):  # none, or `Upf (500)`
        return None
    for part in parts:
        said = heading(part)
        if (
            said.unknown and _SAYING & said.meanings.keys()
        ):  # `USDBRL ATM`, `USDBRL Bid`: what they say is not the pair's
            words = _BRACKETS.sub(" ", part).split()
            return " ".join(word for word in words if not set(said.unknown).isdisjoint(fold(word))) or None
        if said.unknown:
            return _BRACKETS.sub(" ", _without_month(part, said)).strip() or None
    return None
