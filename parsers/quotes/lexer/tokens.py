"""A line of a run cut into what its parts can be: identifiers, dates, levels, sizes, words (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.conventions import PLAIN, Conventions
from parsers.quotes.lexer.cutline import CutLine
from parsers.quotes.lexer.labels import LETTERS
from parsers.quotes.lexer.lexer import token_at
from parsers.quotes.lexer.token import IDENTIFIER, LABEL, LEVEL, NUMBER, WORD, Token
from parsers.values.finding import Found

_BOTH_LETTERS = re.compile(r"\bG\s\d{2,3}[.,]\d+\s+(?:/\s)?B\s\d{2,3}[.,]\d|\d\sG\s?/?\s?\d{2,3}[.,]\d+\sB(?!\w)")
_LETTERS = re.compile(r"(?<!\w)G(?!\w).*(?<!\w)B(?!\w)")
"""One alone in front of a value is a tranche's: `BUMP 2023-BE1 B  78/70`."""
_AROUND = frozenset({"()", "[]", '""', "//"})
"""What may stand around an identifier."""
_VALUED = frozenset({LEVEL, NUMBER})
_JOINING = frozenset({"at", "AT", "@", "is", "of", "around", "zu", "bei", "à", "a", "al", "em", ":", "/"})
"""Between a label and its value, or two values: `offered at 99`."""
_GERMAN_SIDES = {"G": "bid", "B": "ask"}
_BY_PLACE = _JOINING | LETTERS.keys() | _GERMAN_SIDES.keys()
"""Words that what is around them makes what they are."""
_SMALL_LETTERS = re.compile(r"\sb\s\d[\d.,+\- /]*\s[oa]\s\d")


class _Letters(NamedTuple):
    """What letters say in a line."""

    sides: Mapping[str, str]
    are_both: bool  # there: they are sides wherever they stand, else behind a value alone


def tokens(text: str, identifiers: Sequence[Found], conventions: Conventions = PLAIN) -> list[Token]:
    """The tokens of a line, left to right; every stretch that is not white space belongs to one.

    Args:
        text: the line; tabs count as spaces.
        identifiers: as `identifiers.find` gave them.
        conventions: which reading is taken of what reads in two ways.
    """
    letters = _side_letters(text, german=conventions.geld_brief)
    spans = {found.start: found for found in identifiers}
    line = CutLine(text, conventions)
    numbered = patterns.NUMBERED.match(text)
    at = numbered.end() if numbered is not None else 0
    while (match := patterns.START.search(text, at)) is not None:
        at = match.start()
        if text[at] in "#([" and at + 1 in spans:
            at += 1
        if at in spans:
            token = _identifier(text, at, spans[at])
        else:
            token = token_at(line, at)
            inside = _inside(token, spans) if spans and token.kind is WORD else None
            if inside is not None:
                at = inside
                continue
        at = token.end
        told = _told(token, line, letters) if token.kind is WORD and token.text in _BY_PLACE else token
        if told is None:
            continue
        if told.kind in _VALUED:
            _take_off(line)
        line.add(told)
        if told.key == "talk":
            at = _talked(line, at)
    return line.found


def _side_letters(text: str, *, german: bool) -> _Letters:
    """The letters that are sides in a line: where both stand in it, they are so anywhere.

    `b 99.1 o 99.5` is bid and offer in any line.
    """
    german = german or ("G" in text and _BOTH_LETTERS.search(text) is not None)
    are_both = not german or _LETTERS.search(text) is not None
    if " b " in text and _SMALL_LETTERS.search(text) is not None:
        return _Letters(LETTERS, are_both)
    return _Letters(_GERMAN_SIDES if german else {}, are_both)


def _identifier(text: str, at: int, found: Found) -> Token:
    """The token of an identifier, with the brackets around it."""
    end = found.end + (f"{text[at - 1 : at]}{text[found.end : found.end + 1]}" in _AROUND)
    return Token(IDENTIFIER, at, end, found.value, key=found.kind)


def _told(token: Token, line: CutLine, letters: _Letters) -> Token | None:
    """What a word says where it stands: a letter a side; None where it only joins what is around it."""
    before = line.found[-1] if line.found else None
    if token.text in letters.sides and (letters.are_both or (before is not None and before.kind in _VALUED)):
        return replace(token, kind=LABEL, key=letters.sides[token.text])
    return None if before is not None and token.text in _JOINING and _joins(token.text, before) else token


def _take_off(line: CutLine) -> None:
    """`bid 88 / off 91`: in front of a value the word is the offer's."""
    if line.found and line.found[-1].text == "off":
        line.found[-1] = replace(line.found[-1], key="ask")


def _inside(token: Token, spans: Mapping[int, Found]) -> int | None:
    """Where an identifier begins inside a word: `ISIN=XS2641318121`."""
    return next((start for start in spans if token.start < start < token.end), None)


def _talked(line: CutLine, at: int) -> int:
    """Cuts the phrase behind the word `talk`; returns where to go on."""
    match = patterns.TALK.match(line.text, at)
    if match is None:
        return at
    start = match.start("phrase")
    line.add(Token(LEVEL, start, match.end(), line.text[start : match.end()], prefix=match["prefix"], key="talk"))
    also = patterns.TALK_TOO.match(line.text, match.end())
    if also is None:
        return match.end()
    line.add(Token(LEVEL, also.start("phrase"), also.end(), also["phrase"], key="talk"))
    return also.end()


def _joins(text: str, before: Token) -> bool:
    """`99.875 / S+118`, `cover: 64 1/4`, `offered at 99`."""
    if text == "/":
        return before.kind is NUMBER
    return before.kind is LABEL if text == ":" else _is_side(before)


def _is_side(token: Token) -> bool:
    """Of the value behind it; a buyer or seller is somebody with a wish."""
    return token.kind is LABEL and not token.text.lower().startswith(("buyer", "seller"))
