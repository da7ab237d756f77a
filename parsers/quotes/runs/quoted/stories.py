"""What lines with figures tell where they make no price: of the day, of results, of deadlines (spec 2.9)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.document import Line
from parsers.lexicon import compiled
from parsers.quotes.classes import class_by_instrument, class_by_words, is_of_class, rules_of
from parsers.quotes.headings.remarks import is_of_indices, is_ticker
from parsers.quotes.headings.stances import side_said
from parsers.quotes.lexer.labels import SIDES, labels
from parsers.quotes.runs.marked.reading import Mark, Reading
from parsers.quotes.runs.marked.wishes import is_wish
from parsers.quotes.runs.quoted.namable import is_market
from parsers.values.times.dates import MONTH_NAME

_ON_INDICES = frozenset({"structured_note", "warrant_equity"})
_BESIDE = compiled(
    r"(?:^|[,;]\s+)(?:{gauge}|{index_future})\s(?:at\s)?\d[\d,.]*%?(?:\s?[(+-][\d.+-]+%?\)?)?(?=[,;]|\W*$)"
)
_LISTED = compiled(
    r"\b{listed_thing}\b",
    re.IGNORECASE,
)
_EVENT = compiled(
    r"\b{event}$",
    re.IGNORECASE,
)
"""In front of a day: `Lender call 11/18`."""
_DAY = re.compile(r"(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])|(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])")
"""Behind a name that is a list's it is the list's day: `CRT BWIC results 11/19`, not `FN 5.5 Dec roll 8/9`."""
_DAYS = re.compile(rf"\({MONTH_NAME}\.?\s[12]?\d\s?[-–]\s?[1-3]?\d\)", re.IGNORECASE)
"""Of an event: `Films (May 4-25)`."""
_REPORTED = compiled(
    r"\b(?:{reported}|{average}(?! life)|{trade_idea}(?=\s?:)|{target}(?= \d)|yields(?= \d{1,2}[.,]\d+ ?%$)|"
    r"client [a-z] (?:{bid_word}|{ask_word}))\b|^\W{0,4}(?:{dealt} [\d€$£]|{unfilled}\b)"
)
"""In lower case: to search the lower text is five times as fast as `re.IGNORECASE`."""
_SMALL = re.compile(r"(?<![\w.&'’/-])(?:[a-zà-ÿ]{2,}|[aeoyàèé])\b")
_LEAST_SMALL, _MOST_SMALL = 4, 8
"""Words in small letters: from so many on a line may be a sentence, from so many on it is none of a market."""
_LONG = 50
"""Characters: a shorter line is no line of a paragraph that goes on."""
_MARKET = re.compile(r"(?<![\d/])[1-9][\d.,½¼¾⅛⅜⅝⅞+]*\s?/\s?\+?\d|\d\s[-–]\s\d")
_DONE = compiled(r"\b(?:{done_word}|{prices_of} {of_what})\b")
_STANCE = compiled(r"\b{desk_stance}\b")


def is_in_paragraph(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is part of a sentence that goes on over the end of a line, and offers nothing itself."""
    text = lines[at].text
    before = lines[at - 1].text if at else ""
    behind = lines[at + 1].text if at + 1 < len(lines) else ""
    if not text[:1].islower() and not behind[:1].islower():  # most lines
        return False
    goes_on = text[:1].islower() and _goes_on(before)
    is_broken = behind[:1].islower() and _goes_on(text) and _is_told(behind)
    return (goes_on or is_broken) and _is_told(text) and not _is_stance(text.lower())


def _is_stance(lower: str) -> bool:
    if _STANCE.search(lower) is not None or side_said(lower) is not None or is_wish(lower):
        return True
    return any(labels().get(word) in SIDES for word in lower.split())  # `siamo lettera a 104,10`


def is_sentence(text: str) -> bool:
    """Whether a line is a sentence or two that tell of a bond, and neither make a market in it nor say what it cost."""
    if text.rstrip()[-1:] not in ".!" and ". " not in text:
        return False
    small = len(_SMALL.findall(text))
    if small < _LEAST_SMALL or (small < _MOST_SMALL and _MARKET.search(text) is not None):
        return False
    lower = text.lower()
    return _DONE.search(lower) is None and not _is_stance(lower)


def _goes_on(text: str) -> bool:
    """Whether a line is long, of a sentence, and its end is none."""
    return len(text) >= _LONG and text.rstrip()[-1:] not in ".:;!?" and _is_told(text)


def _is_told(text: str) -> bool:
    return len(_SMALL.findall(text)) >= _LEAST_SMALL


def is_report(lower: str) -> bool:
    """Whether a text in lower case reports, explains or recommends: nobody makes its prices."""
    return _REPORTED.search(lower) is not None


def is_of_the_day(text: str, section: str | None) -> bool:
    """Whether a line lists markets beside an index of shares, as a comment does: `Main 54.5/55, SPX 6010`."""
    return "," in text and section not in _ON_INDICES and _BESIDE.search(text) is not None


def is_of_a_day(reading: Reading, text: str, name: str) -> bool:
    """Whether the only figures of a line of this class are days behind a list's name or a title, or one event's."""
    if _DAYS.search(text) is not None:
        return True
    if not reading.marks or not _is_day(reading.marks[0]):
        return False
    head = text[: reading.marks[0].token.start].rstrip(" :–-")
    if any(map(str.isdigit, head)):
        return False
    if _EVENT.search(head) is not None:
        return True
    if not all(map(_is_day, reading.marks)):
        return False
    is_list = _LISTED.search(head) is not None and not is_of_class(reading.named.name, name)
    return is_list or (class_by_words(head) is not None and class_by_instrument(head) is None)


def _is_day(mark: Mark) -> bool:
    return _DAY.fullmatch(mark.token.text) is not None


def is_of_market(reading: Reading) -> bool:
    """Whether a line says where a market is, so that it heads nothing: `Auto spreads 45-50`, but not `.. 11/19`."""
    return is_market(reading.named.name) and not all(map(_is_day, reading.marks))


def tells(text: str, name: str) -> bool:
    """Whether a line, or a sentence, tells where indices or governments stand: `UST 10y at 4.12%.`."""
    if name in _ON_INDICES or rules_of(name).curve:
        return False
    return is_of_indices(text) or (text.rstrip().endswith(".") and is_ticker(text))
