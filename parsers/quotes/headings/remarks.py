"""Lines that head nothing, whatever class they speak of: `Vols higher`, `Watching CDS today.`, `Call Jim on CLOs`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from parsers.gates.gates import Figured
from parsers.gates.stems import Stemmed
from parsers.lexicon import compiled
from parsers.quotes.headings.surroundings import read

_COLOUR = Stemmed.of(
    r"\b{moved}\b|\b(?:{colour}|demand(?! notes?)|{performance}\w*)\b|\b{felt}(?=\W*(?:$|{felt_when}))|"
    r"(?<=[a-z] )(?<!all )(?<!run )(?<!are )(?<!levels )(?<!prices )(?<!quotes )firm(?=\W*$)|"
    r"\b{moved_than}(?=\s*(?:$|[.,;!]|{moved_when}\b))"
)
_STANDS_AT = re.compile(r"(?<!\bas )\bat\s\+?\d{2,4}(?:[.,]\d+)?(?:\s?-\s?\d+)?(?:\s?bps?|\s?%)?\W*$", re.IGNORECASE)
_INDICES = compiled(
    r"\b(?:{plain_gauge}\s(?:at\s)?\d[\d.]*|{gauge}\s(?:at\s)?(?:\d[\d,.]*[,.]\d+|[+-]\d[\d.]*%))(?=[\s,.;)]|$)"
)
"""The day's level of an index: `VIX 15.1`, and no year nor strike of a note on it."""
_YEARS = r"\d{1,2}(?:y|yr|-year)"
_YIELDS = compiled(
    rf"\b(?:{{government_bond}}\s(?:yields?\s)?(?:at\s)?\d[.,]\d{{1,3}}\s?%|(?:{{government_bond}}:?\s{_YEARS}|"
    rf"{_YEARS}\s{{government_bond}})\s(?:yields?\s)?(?:at\s)?\d[.,]\d{{1,3}}\s?%?)(?=\W*(?:$|[,;.(+-]))"
)
"""The yield of a government: `UST 10y 4.12%`."""
_SLOPES = re.compile(r"\b[1-9]\d?s/?[1-9]\d?s (?:at )?[+-]?\d")
"""Of a curve: `5s30s 92`."""
_STATED = compiled(
    r"[^:]{2,30}:\s(?!{spot_word})[A-Z][\w/]*(?:\s\d{1,2}[my])?\s\d{1,4}[.,]\d{1,4}%?[,;]\s(?!{spot_word})[a-z]"
)
"""In a sentence where a market stands: `Repo: GC 4.33, specials in the 10y sector`."""
_ASIDE = re.compile(r"\s[-–|]\s|[,;(]\s?(?!\d)|,\s|\)")
"""Between a title and what is told behind it."""
_UNCHANGED = "unch"
_STANDS = compiled(
    rf"(?:(?:{{gauge}}|(?:{{index_maker}}\s)?{{index_family}}\d{{0,2}})(?:\s5y)?:?\s(?:at\s)?[+-]?\d[\d.,]*%?|"
    rf"(?:{{government_bond}}\s)?{_YEARS}(?:\s{{government_bond}})?:?\s(?:at\s)?\d{{1,3}}(?:[.,]\d{{1,3}}%?|%)|"
    rf"[1-9]\d?s/?[1-9]\d?s\s(?:at\s)?[+-]?\d{{1,3}}(?:\.\d)?)(?:\s[+-]?\d[\d.,]*(?:{{bp_word}}|%)?|"
    rf"\s{{unchanged}})?|[+-]\d[\d.,]*(?:{{bp_word}}|%)?|{{unchanged}}"
)
"""What stands behind a title and is no part of it: `US HY - SPX 5,980`, `Loans, UST 10y 4.12%`."""
_LEAST_WORDS = 3
_LEVELS = re.compile(r"\d[.,]\d(?:[^.,]|,(?=\s))*?\d[.,]\d")
_DAY = re.compile(r"(?<![\d.,])[0-3]?\d\.[01]?\d\.(?:20)?(?:\d\d)?(?![\d.,])")
_VALUE = compiled(
    r"^(?:spread(?: to [a-z]+)?|{measure_short})\s?[:=]?\s?\+?\d{1,4}(?:[.,]\d+)?\s?(?:{bp_word}|%)?$|"
    r"\d\s?\([+\-−–]\s?\d[\d.,]*(?:{bp_word}|%)?\)$|"
    r"\b\d{1,2}[dwmy]\s[+\-−–]?\d+(?:[.,]\d+)?(?:/[+\-−–]?\d+(?:[.,]\d+)?)?(?![\w.,/-])|\b{curve_name}\+\d|"
    r"(?-i:(?<![^\W\d])[a-zà-ÿ]{3,})(?:\s{verb_at})?\s\d{1,2}[.,]\d{1,3}\s?%\W*$|"
    r"^spreads?\s(?-i:[A-Z])\S*\s(?:3[2-9]|[4-9]\d|\d{3})(?:/\d{2,3})?(?:\s?{bp_word})?$",
    re.IGNORECASE,
)
"""A measure and its value, a value and its change, a tenor and its value, a spread over a curve, a verb and a yield."""
_WHOLE = re.compile(r"(?<![\w/.,+\-])(?P<bid>\d{2,3})\s?/\s?(?P<ask>\d{2,3})(?![\w/.,\-])")
_MOST_MONTHS = 12
_FIGURED = Figured.of(_STANDS_AT, _INDICES, _SLOPES, _YIELDS, _STATED, _LEVELS, _VALUE, _WHOLE)
_ADDRESS = compiled(
    r"\W*{to_reader}\b|(?:[^:,(.–-]|[–-](?! )|\.(?! [A-Z]))*?\b(?:{auxiliary}|está|"
    r"(?-i:(?!{describing_prefix}?{describing}\b)[a-z]{2,}ed)|better(?! {bettered}))\b",
    re.IGNORECASE,
)
"""What is said to the reader, or of somebody: `Call Jim on CLO or ABS`, `Please note loans desk is out today`."""
_POINTS = compiled(
    r":\s*$|\bbetter {bettered}|\b(?:{pointer}|folgend\w*)\b",
    re.IGNORECASE,
)
"""At what stands under the line: `Here are our loans`, `Please find our CLO run`."""
_GUIDED = re.compile(r"\b(?:ipts?|iprs?)\b|\bguidance\s+(?:[A-Z]{1,3}\s?\+\s?)?\d", re.IGNORECASE)
_LONGEST_TOLD = 1000
"""Characters; no sentence about a market is longer, and hostile cells are not searched."""


def is_colour(text: str) -> bool:
    """Whether a line says how a market moved or felt, or where it stands."""
    if _COLOUR.search(text.lower()) is not None:
        return True
    return _FIGURED.passes(text) and (_STANDS_AT.search(text) is not None or is_ticker(text))


def is_ticker(text: str) -> bool:
    """Whether a line says where indices or governments stand, as a ticker at the top of a note does."""
    if not _FIGURED.passes(text):
        return False
    return is_of_indices(text) or _YIELDS.search(text) is not None or _STATED.match(text) is not None


def before_ticker(text: str) -> str | None:
    """The title in front of where indices or governments stand, if nothing else stands there."""
    if not _FIGURED.passes(text) and _UNCHANGED not in text:
        return None
    title, *behind = (part.strip() for part in _ASIDE.split(text))
    behind = [part for part in behind if part]
    is_title = title and _STANDS.fullmatch(title) is None
    return title if is_title and behind and all(map(_STANDS.fullmatch, behind)) else None


def is_of_indices(text: str) -> bool:
    """Whether a line says where an index or a curve's slope stands, which is no quote whatever is beside it."""
    return _FIGURED.passes(text) and (_INDICES.search(text) is not None or _SLOPES.search(text) is not None)


def is_guided(text: str) -> bool:
    """Whether a line says where new issues are talked, and so nothing of what stands below it."""
    return _GUIDED.search(text) is not None


def is_story(text: str) -> bool:
    """Whether a line is a sentence by its point and its small letters: `Watching CDS into the close.`."""
    words = text.split()
    return len(words) >= _LEAST_WORDS and text.endswith(".") and small(words) * 2 >= len(words)


def small(words: Iterable[str]) -> int:
    """How many words are written small: most in a sentence, few in a title."""
    return sum(word[:1].islower() for word in words)


def is_address(text: str) -> bool:
    """Whether a line talks to the reader, or of a desk, and not of what stands under it."""
    return _ADDRESS.match(text) is not None and _POINTS.search(text) is None


def is_told(text: str) -> bool:
    """Whether a line says what a market did, or something to the reader, and is no title wherever it stands."""
    return len(text) <= _LONGEST_TOLD and (is_colour(text) or (is_address(text) and _is_silent(text)))


def is_remark(text: str) -> bool:
    """Whether a line names a class, if it does, without heading what stands under it."""
    return is_told(text) or (is_story(text) and _is_silent(text))


def _is_silent(text: str) -> bool:
    """Whether a line says neither side nor kind: `WE ARE BUYERS` heads what stands under it."""
    said = read(text, near=True)
    return said.side is None and said.kind is None and said.axe is None


def has_levels(text: str) -> bool:
    """Whether two decimals stand in a line: one of a run, that could not be read, or of the day's market; no title.

    Nor is a measure with its value one, or a value with its change: `OAS +245`, `Spread BTP-Bund 118 (-2)`, or a
    market of whole numbers that is no day: `Perp hybrids are 22/24 flat`; but `Schlusskurse 17.11.2026` is.
    """
    if not _FIGURED.passes(text):
        return False
    has_decimals = _LEVELS.search(text) is not None and _LEVELS.search(_DAY.sub(" ", text)) is not None
    if has_decimals or _VALUE.search(text) is not None:
        return True
    whole = _WHOLE.search(text)
    return whole is not None and min(int(whole["bid"]), int(whole["ask"])) > _MOST_MONTHS
