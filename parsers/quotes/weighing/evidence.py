"""What a row shows of its class, whatever class it was read under: a closed list of kinds, each with its values.

A piece of evidence is named `kind.value`: `issued.XS`, `level.below_108`, `word.heading.field.rating`, `told.corp_ig`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from parsers.codes import AssetClass
from parsers.lexicon import entries
from parsers.lexicon.senses import names
from parsers.quotes.answers.told import Told
from parsers.quotes.classes import class_by_instrument
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.values.bins import bin_of
from parsers.values.words import fold

MOST_TEXT = 500
"""Characters of a row, and of its instrument's name, that are looked at; what is behind them is a remark."""
_MOST_WORDS = 40
"""Words of these that are looked up."""
_OVER = re.compile(r"(?<![A-Za-z])([A-Za-z]{1,4})\s?\+\s?\d")
_CURVES = frozenset({"t", "ms", "l", "s", "e", "g", "i", "z", "n", "b", "dm", "sofr", "ukt", "can", "goc", "dbr"})
_TENOR = re.compile(r"(\d+)\s?([DWMY])(\d+\s?[MY])?", re.IGNORECASE)
_DIGITS, _CAPITALS, _SMALL = re.compile(r"\d+"), re.compile(r"[A-Z]+"), re.compile(r"[a-z]+")
_SHAPED = 10
"""Characters of a maturity whose shape is told."""
_LEVELS = (0, 1, 3, 7, 14, 40, 75, 92, 108, 150, 400)
_COUPONS = (0, 1, 3, 5, 7, 9)
_SIZES = (10**6, 10**7, 10**8)
"""Bounds between which values are alike: 92 to 108 is near par."""
_FACTS = ("rating", "seniority", "tranche", "strike", "factor", "wal_years", "ce_pct", "orig_face", "coupon_margin_bp")
_NEAR = frozenset({"section", "heading", "title", "header"})
_LETTERS = re.compile(r"[A-Z]{2}")


def evidence(draft: Draft) -> frozenset[str]:
    """All that a row shows, each piece once."""
    found = {f"column.{name}" for name in draft.heads}
    found.update(_of_instrument(draft.instrument))
    for level in draft.levels[:2]:
        found.update(_of_level(level))
    size = draft.sizes.bid or draft.sizes.ask
    found.add("size.none" if size is None else f"size.{bin_of(size, _SIZES)}")
    found.update(_of_text(draft.raw_text[:MOST_TEXT]))
    return frozenset(found)


def of_told(told: Told) -> frozenset[str]:
    """What the words around a block show, which its rows share."""
    found = {f"{'told' if source in _NEAR else 'named'}.{name}" for name, source in told.by if name is not None}
    found |= {f"also.{name}" for name in told.also}
    if told.remark is not None:
        found.add(f"remark.{told.remark}")
    if told.default[1] != "none":
        found.add(f"{told.default[1]}.{told.default[0]}")
    return frozenset(found or {"told.nothing"})


def is_evidence(name: str) -> bool:
    """Whether rows of this lexicon can show a piece of this name."""
    kind, _, value = name.partition(".")
    return kind in _KINDS and _KINDS[kind](value)


def _of_instrument(named: Instrument) -> Iterator[str]:
    for kind, value in named.identifiers:
        yield f"identifier.{kind}"
        if kind == "isin" and _LETTERS.match(value):
            yield f"issued.{value[:2]}"
    if not named.identifiers:
        yield "identifier.none"
    yield f"coupon.{_coupon(named)}"
    yield f"due.{_shape(named.maturity_text) if named.maturity_text else 'none'}"
    yield f"tenor.{_tenor(named.tenor)}"
    yield f"currency.{named.currency or 'none'}"
    for name in _FACTS:
        if getattr(named, name) is not None:
            yield f"fact.{name}"
    yield f"form.{class_by_instrument((named.description or '')[:MOST_TEXT]) or 'nothing'}"


def _of_level(level: Level) -> Iterator[str]:
    value = next((one for one in (level.bid, level.ask, level.mid, level.talk_low) if one is not None), None)
    if value is not None:
        yield f"level.{bin_of(value, _LEVELS)}"
    yield f"written.{level.notation}"
    if level.bid is None or level.ask is None:
        yield "market.one_sided"
    else:
        yield "market.falls" if level.bid > level.ask else "market.rises"


@lru_cache(maxsize=2048)
def _of_text(text: str) -> frozenset[str]:
    """What the words of a row say in the lexicon, and what its spreads are printed over."""
    senses = _senses()
    found = {sense for word in fold(text)[:_MOST_WORDS] for sense in senses.get(word, ())}
    found |= {f"over.{over.lower()}" for over in _OVER.findall(text) if over.lower() in _CURVES}
    return frozenset(found)


@cache
def _senses() -> Mapping[str, tuple[str, ...]]:
    """What single words mean, wherever they may stand."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries():
        words = fold(entry.phrase)
        if len(words) == 1 and not words[0].isdigit():
            found[words[0]] = (*found.get(words[0], ()), *(f"word.{sense}" for sense in entry.senses))
    return MappingProxyType(found)


def _coupon(named: Instrument) -> str:
    if named.coupon is None:
        return named.coupon_type if named.coupon_type == "floating" else "none"
    return bin_of(named.coupon, _COUPONS)


def _tenor(text: str | None) -> str:
    """Days to years, or two of them: `3M`, `1Y10Y`."""
    if text is None:
        return "none"
    found = _TENOR.match(text)
    if found is None:
        return "word"
    return "two" if found[3] else found[2].lower()


@lru_cache(maxsize=4096)
def _shape(text: str) -> str:
    """How a date is printed: `9/9/9`, `9-Aa-9`."""
    return _SMALL.sub("a", _CAPITALS.sub("A", _DIGITS.sub("9", text[:_SHAPED])))


def _is_class(value: str) -> bool:
    return value in AssetClass.__members__ or value == "nothing"


_OPEN = (
    *("column", "coupon", "currency", "due", "fact", "identifier", "issued", "level", "market"),
    *("over", "size", "tenor", "written"),
)
"""Kinds whose values are what is printed."""
_KINDS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        **dict.fromkeys(("told", "named", "also", "remark", "sender", "notation", "form"), _is_class),
        **dict.fromkeys(_OPEN, bool),
        "word": lambda value: value in names(),
    }
)
