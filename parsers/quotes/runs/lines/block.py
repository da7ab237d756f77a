"""What the lines of a part have in common: language, decimal mark, date order, columns of identifiers (spec 4.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.document import Line
from parsers.gates.gates import Figured
from parsers.gates.stems import Stemmed
from parsers.quotes.answers.dating import Dates, proven
from parsers.quotes.headings.told import told
from parsers.quotes.runs.lines import skip
from parsers.values.finding import find
from parsers.values.languages import language
from parsers.values.locales import block_locale, numerals
from parsers.values.separators import Locale

MAX_SEARCHED = 400
"""Characters of a line in which columns of identifiers are looked for."""

_TICK_PLUS = re.compile(r"-(?:(?<=\b\d\d-)|(?<=\b\d\d\d-))\d{2}\+")  # from its dash on, which is looked for fast
_NINE = re.compile(r"(?<![A-Za-z0-9@#*.,+/-])[A-Za-z0-9*@#]{8}\d(?![A-Za-z0-9@#*])")
_CUSIP_LABELS = ("cusip", "cins")
_MM = re.compile(r"\d\s?MM\b")
_DATE_PARTS = re.compile(r"(\d(?<![\d.,/]\d)\d?)([/.])(\d{1,2})\2(?:20)?\d{2}(?![\d/]|[.,]\d)")
_DECIMAL_PAIR = re.compile(
    r"(\d(?<![\d.,/]\d)\d{0,3}+(?:[.,]\d{1,3}+|(?=\s?/\s?\d+[.,]\d)))\s?/\s?(\d{1,4}+(?:[.,]\d{1,3}+)?)(?![\d.,/])"
)
_WHOLE_PAIR = re.compile(r"(?<![\w.,/+-])(3[2-9]|[4-9]\d|\d{3})\s?/\s?(3[2-9]|[4-9]\d|\d{3})(?![\w.,/])")
_DECIMAL = re.compile(r"\d[.,]\d")  # in most levels, and found fast
_TALKED = Stemmed.of(r"\b(?:talk|cvrs?|covers?|traded)\b")
_PRICED = re.compile(r"\d\s?dm\b|\d\s?[/\-–@]\s?[\d+(]|\d[½¼¾⅛⅜⅝⅞]|[A-Z]\s?[+\-]\s?\d|\d\s+\d|\s/\s?\d|\d/(?:\s|$|dm)")
_FIGURED = Figured.of(_DECIMAL, _PRICED)


class Block(Struct, frozen=True):
    """Facts of a part's lines."""

    locale: Locale
    flags: frozenset[Flag]  # doubts about the locale
    language: str
    uses_mm: bool  # sizes in MM, so that M is a thousand
    plus_ticks: bool  # three and more tokens carry the `+` of half a 32nd
    dates: Dates
    columns: frozenset[int]  # positions where several lines hold a valid CUSIP
    falls_in_points: bool = False  # all pairs of whole numbers do, two at least: spreads
    falls: bool = False  # most pairs of decimals have the higher value first: they are spreads or yields


def block_of(lines: Sequence[Line], subject: str = "") -> Block:
    """The facts of these lines; the subject over them speaks their language."""
    text = "\n".join(line.text for line in lines)
    priced = [line.text for line in lines if is_priced(line.text)]
    spoken = language(f"{subject}\n{text}")
    tokens: list[str] = []
    dates: list[re.Match[str]] = []
    for line in priced:
        found = list(_DATE_PARTS.finditer(line)) if _may_be_dated(line) else []
        dates += found
        tokens += numerals(_DATE_PARTS.sub(" ", line) if found else line)
    locale, flags = block_locale(tokens, prices=True, language=spoken)
    return Block(
        locale,
        flags,
        spoken,
        uses_mm="MM" in text and _MM.search(text) is not None,
        plus_ticks=text.count("+") >= 3 and len(_TICK_PLUS.findall(text)) >= 3,
        dates=Dates(proven((match[1], match[3]) for match in dates), spoken != "en", locale is Locale.comma),
        columns=_cusip_columns(priced),
        falls=_falls(priced),
        falls_in_points=_falls_in_points(priced),
    )


def of_section(whole: Block, lines: Sequence[Line], at: int, section: str | None) -> Block:
    """The block below a title: its own pairs say whether they fall, not those of other desks' sections.

    Args:
        whole: of the part.
        lines: of the part.
        at: index behind the title.
        section: the class that it names.
    """
    if section is None or not (whole.falls or whole.falls_in_points):  # most mails
        return whole
    priced = []
    while at < len(lines) and not _begins_another(lines[at].text, section):
        priced += [lines[at].text] if is_priced(lines[at].text) else []
        at += 1
    return replace(whole, falls=_falls(priced), falls_in_points=_falls_in_points(priced))


def _begins_another(text: str, section: str) -> bool:
    """Whether a line without figures is the title of another class."""
    if not text or any(map(str.isdigit, text)):
        return False
    line = told(text)
    return line.is_title and line.named not in (None, section)


def _may_be_dated(text: str) -> bool:
    return text.count("/") > 1 or text.count(".") > 1


@lru_cache(maxsize=skip.REMEMBERED)
def is_priced(text: str) -> bool:
    """Whether a line has what can be a level, and is neither prose nor a signature."""
    has_level = _FIGURED.passes(text) and (_DECIMAL.search(text) is not None or _PRICED.search(text) is not None)
    return (
        (has_level or _TALKED.search(text.lower()) is not None) and not skip.is_prose(text) and not skip.has_phone(text)
    )


def _falls(lines: Sequence[str]) -> bool:
    """Whether more pairs fall than rise, a decimal on one side at least: coupons and dates have none, or no slash.

    Of two numbers of at most seven digits the floats compare as they do.
    """
    pairs = [match.groups() for line in lines if "/" in line for match in _DECIMAL_PAIR.finditer(line)]
    falling = sum(float(first.replace(",", ".")) > float(second.replace(",", ".")) for first, second in pairs)
    return len(pairs) > 1 and falling * 2 > len(pairs)


def _falls_in_points(lines: Sequence[str]) -> bool:
    """Whether all bare pairs of whole numbers fall, of which no day or month is one: `110/105`, but not `99/00`."""
    pairs = [match.groups() for line in lines if "/" in line for match in _WHOLE_PAIR.finditer(line)]
    return len(pairs) > 1 and all(int(first) > int(second) for first, second in pairs)


def _cusip_columns(lines: Sequence[str]) -> frozenset[int]:
    seen: Counter[int] = Counter()
    for text in lines:
        if len(text) <= MAX_SEARCHED and (_NINE.search(text) or _has_label(text.lower())):
            found = find(text, cusips=True)
            seen.update(item.start for item in found if item.kind == "cusip" and item.valid)
    return frozenset(start for start, count in seen.items() if count >= 2)


def _has_label(lower: str) -> bool:
    return any(label in lower for label in _CUSIP_LABELS)
