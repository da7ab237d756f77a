"""What a row shows of how well it was read: doubts and facts of a closed list of kinds, each with its values.

A factor is named `kind.value`: `flag.crossed`, `class.subject`, `alike.below_5`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from parsers.codes import Flag, QuoteKind, Side
from parsers.lexicon import entries
from parsers.quote import Quote
from parsers.quotes.classes import class_by_instrument, rules_of
from parsers.quotes.draft import Draft, Level
from parsers.values.bins import bin_of, bins
from parsers.values.identifiers import KINDS
from parsers.values.words import fold

_MOST_TEXT = 1_000
"""Characters of a row, and of its name, that are looked at: what was looked at is remembered."""
_MOST_WORDS = 60
"""Words of a row that are counted; more make it no less doubtful."""
_LEAST_WORD = 3
"""Letters: shorter ones are codes and units."""
_WHOLE = re.compile(r"[-+]?\d+")
_DAY = re.compile(r"(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])|(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])")
_ALIKE = (2, 3, 5, 9)
_MARGINS = (-40, 0, 10, 20, 40, 80)
_WORDS = (1, 2, 4, 7, 12)
"""Bounds between which counts are alike."""
_GROUNDS = frozenset(
    {
        *("around.it", "around.several", "form.it", "bond.whole", "bond.tenor", "heading.row", "size.printed"),
        *("side.two_way", "side.talk", "digits.broken", *(f"name.{kind}" for kind in KINDS)),
        *("alike.below_5", "alike.below_9", "alike.more"),
    }
)
"""Factors that each tell by itself that a dealer prices an instrument here; what has none of them is seldom a quote."""
_FEW_GROUNDS = 3
"""With as few, whole values that might be a day of the year are taken for doubtful: `Updated: 12/30` has two."""


def factors(draft: Draft, level: Level, quote: Quote) -> tuple[str, ...]:
    """All that a row shows, each factor once.

    Args:
        draft: the source line, with what stands beside it.
        level: of it, that the row is made of.
        quote: the row.
    """
    place = "line" if draft.line is not None else "row"
    found = (
        *[f"flag.{flag}" for flag in quote.flags],
        f"class.{quote.class_source}",
        f"name.{quote.id_type}",
        f"kind.{quote.quote_kind}",
        f"side.{quote.side}",
        f"place.{place}_of_{'body' if quote.file_name is None else 'file'}",
        f"heading.{_heading(draft)}",
        f"bond.{_bond(quote)}",
        f"size.{'none' if quote.bid_size is None and quote.ask_size is None else 'printed'}",
        f"order.{'assumed' if level.by_order else 'said'}",
        f"left.{'figures' if draft.leaves_figures else 'nothing'}",
        *_of_class(draft, quote),
        f"measure.{_measure(draft, quote)}",
        *_of_text(draft.raw_text[:_MOST_TEXT], (quote.description or "")[:_MOST_TEXT], place),
        f"alike.{bin_of(draft.beside.rows, _ALIKE)}",
        f"margin.{'none' if draft.beside.margin is None else bin_of(draft.beside.margin, _MARGINS)}",
    )
    grounds = len(_GROUNDS.intersection(found))
    digits = f"digits.{_digits(level, grounds)}"
    return (*found, digits, f"grounds.{grounds + (digits in _GROUNDS)}")


def is_factor(name: str) -> bool:
    """Whether rows can show a factor of this name."""
    kind, _, value = name.partition(".")
    return kind in _KINDS and _KINDS[kind](value)


def _heading(draft: Draft) -> str:
    """Whether its table has headings, and whether these say what all its columns are that are read."""
    if draft.unheaded:
        return "unheaded"
    return "row" if draft.headed else "none"


def _bond(quote: Quote) -> str:
    """What is printed of a coupon and of an end."""
    has_end = quote.maturity is not None or quote.maturity_text is not None
    if quote.coupon is not None:
        return "whole" if has_end else "coupon"
    if has_end:
        return "end"
    return "none" if quote.tenor is None else "tenor"


def _of_class(draft: Draft, quote: Quote) -> Iterator[str]:
    """Whether the form of the name and the words around say the class, or others."""
    form = class_by_instrument(quote.description or "")
    yield f"form.{_against(draft, frozenset() if form is None else frozenset({form}))}"
    told = draft.told
    names = frozenset[str]() if told is None else frozenset([name for name, _ in told.by if name is not None])
    yield f"around.{_against(draft, names)}"


def _against(draft: Draft, names: frozenset[str]) -> str:
    if not names:
        return "nothing"
    if draft.asset_class not in names:
        return "another"
    return "it" if len(names) == 1 else "several"


def _measure(draft: Draft, quote: Quote) -> str:
    """How what is measured is known: a column is headed so, or the class is quoted so first, or also, or not."""
    kind, types = quote.quote_type, rules_of(draft.asset_class).types
    if kind in draft.heads:
        return "column"
    if kind not in types:
        return "other"
    return "first" if kind is types[0] else "usual"


def _digits(level: Level, grounds: int) -> str:
    """Whether the values are whole numbers, which more than prices are; with few grounds perhaps a day: `12/31`."""
    raws = [raw for raw in (level.bid_raw, level.ask_raw, level.mid_raw) if raw is not None]
    if not raws or not all(map(_WHOLE.fullmatch, raws)):
        return "broken"
    return "day" if grounds <= _FEW_GROUNDS and _DAY.fullmatch("/".join(raws)) else "whole"


@lru_cache(maxsize=2048)  # the rows of a line share them
def _of_text(text: str, name: str, place: str) -> tuple[str, str]:
    """How many words stand beside the name, and how many of them nobody knows."""
    own, known = set(fold(name)), _known()
    words = [word for word in fold(text)[:_MOST_WORDS] if word.isalpha() and len(word) >= _LEAST_WORD]
    beside = [word for word in words if word not in own]
    unknown = sum(word not in known for word in beside)
    return f"words.{place}_{bin_of(len(beside), _WORDS)}", f"unknown.{place}_{bin_of(unknown, _WORDS)}"


@cache
def _known() -> frozenset[str]:
    """Every word of the lexicon."""
    return frozenset(word for entry in entries() for word in fold(entry.phrase))


def _one_of(*values: str) -> Callable[[str], bool]:
    return frozenset(values).__contains__


_PLACES = ("line", "row")
_AGAINST = _one_of("nothing", "it", "several", "another")
_OF_WORDS = _one_of(*(f"{place}_{count}" for place in _PLACES for count in bins(_WORDS)))
_KINDS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "flag": Flag.__members__.__contains__,
        "class": bool,  # what said it
        "name": _one_of(*KINDS, "description", "none"),
        "kind": QuoteKind.__members__.__contains__,
        "side": Side.__members__.__contains__,
        "place": _one_of(*(f"{place}_of_{part}" for place in _PLACES for part in ("body", "file"))),
        "heading": _one_of("row", "unheaded", "none"),
        "bond": _one_of("whole", "coupon", "end", "tenor", "none"),
        "size": _one_of("printed", "none"),
        "order": _one_of("said", "assumed"),
        "left": _one_of("figures", "nothing"),
        "form": _AGAINST,
        "around": _AGAINST,
        "measure": _one_of("column", "first", "usual", "other"),
        "digits": _one_of("whole", "day", "broken"),
        "words": _OF_WORDS,
        "unknown": _OF_WORDS,
        "alike": _one_of(*bins(_ALIKE)),
        "margin": _one_of("none", *bins(_MARGINS)),
        "grounds": str.isdecimal,
    }
)
