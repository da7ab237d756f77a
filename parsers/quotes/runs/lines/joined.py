"""A line with the lines wrapped under it, and where its pieces stand in the part (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Line
from parsers.lexicon import compiled
from parsers.quotes.draft import Level
from parsers.quotes.lexer.bonds import COUPON
from parsers.quotes.runs.lines.noise import without_noise
from parsers.quotes.runs.lines.skip import MAX_LINE
from parsers.values.finding import find

_INDENT = ("    ", "\t")
_NAMING = compiled(
    rf"[A-Z][\w&./]*\s+(?:\S+\s+){{0,4}}?{COUPON}\s+(?:\d{{1,2}}/\d{{2}}|'?\d\d\b|PERP)|"
    r"[A-Z0-9]{8,}\d\b|LX\d{6}\b|[A-Za-z]{2,}"
)
_CURVE_FIRST = compiled(r"{curve_letters}\s?[+\-]\s?\d")
_TENORS = compiled(r"\s*(?:\d{1,2}\s?[yYmMwW]\s+){1,12}\d{1,2}\s?[yYmMwW]\s*")
"""The header of a grid, which goes on with no line: `      1y    3y    5y`."""
_FIELD = compiled(
    r"\s*{field}(?:\s{field_of})?\s?:\s*[$€£]?[\d(].*",
    re.IGNORECASE,
)
"""A side on a line of its own, below the instrument: `Bid: 98 1/4`, and then `Offer: 98 3/4`."""
_PLAIN = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " ") | dict.fromkeys(range(0x2010, 0x2016), "-")
"""Blanks, and what a mail program makes of a hyphen: `OCT 2020–1A`, `99–29`."""


class Joined(Struct, frozen=True, gc=False):
    """A line's text with its continuations; it has the number of its first line."""

    line: Line
    text: str
    breaks: tuple[tuple[int, int], ...]  # (position in the text, offset in the part) where each piece starts

    def offset(self, position: int) -> int:
        """The code point offset in the part of a position of the text."""
        start, base = self.breaks[0]
        for piece in self.breaks[1:]:
            if piece[0] > position:
                break
            start, base = piece
        return base + position - start

    def located(self, level: Level) -> Level:
        """The level with its span in the part instead of the line."""
        start, end = level.char_start or 0, max(level.char_end or 1, 1)
        return replace(level, char_start=self.offset(start), char_end=self.offset(end - 1) + 1)

    def before(self, at: int) -> Joined:
        """The part of the line in front of a position."""
        return Joined(self.line, self.text[:at], self.breaks)

    def behind(self, at: int) -> Joined:
        """The part of the line from a position on."""
        later = tuple((start - at, base) for start, base in self.breaks if start > at)
        return Joined(self.line, self.text[at:], ((0, self.offset(at)), *later))

    def of_spans(self, spans: Sequence[tuple[int, int]]) -> Joined:
        """What the line says at some spans, in their order, a blank between them."""
        breaks: list[tuple[int, int]] = []
        length = 0
        for start, end in spans:
            inner = [(at - start + length, base) for at, base in self.breaks if start < at < end]
            breaks += [(length, self.offset(start)), *inner]
            length += end - start + 1
        return Joined(self.line, " ".join(self.text[start:end] for start, end in spans), tuple(breaks))


def joined(lines: Sequence[Line], at: int) -> tuple[Joined, int]:
    """The line at an index with its continuations, and the index behind them.

    A continuation begins with four spaces or a tab, or is one of two fields and more, and names no instrument; the line
    that it goes on with does. Together they are no longer than a line may be.
    """
    line = lines[at]
    text, breaks = line.text, [(0, line.char_start)]
    at += 1
    if at == len(lines) or not (_continues(lines[at]) or _is_field(lines, at)) or not names_instrument(text):
        return Joined(line, text, tuple(breaks)), at
    while (
        at < len(lines)
        and len(text) + len(lines[at].text) < MAX_LINE
        and (_continues(lines[at]) or _is_field(lines, at))
    ):
        body = lines[at].text.lstrip()
        breaks.append((len(text) + 1, lines[at].char_start + len(lines[at].text) - len(body)))
        text = f"{text} {body.rstrip()}"
        at += 1
    return Joined(line, text, tuple(breaks)), at


def names_instrument(text: str) -> bool:
    """Whether a line names an instrument of its own: an identifier, or a ticker with coupon and maturity."""
    stripped = text.strip()
    if find(stripped, priced=True):
        return True
    return _NAMING.match(stripped) is not None and _CURVE_FIRST.match(stripped) is None


def _continues(line: Line) -> bool:
    text = line.text
    if not text.startswith(_INDENT) or line.quoted or text.lstrip().startswith("|"):  # a row whose first cell is empty
        return False
    is_of_figures = any(letter.isdigit() for letter in text) and _TENORS.fullmatch(text) is None
    return is_of_figures and not names_instrument(text)


def _is_field(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is a field of the instrument above, and so is one beside it: `Bid: 98` alone may be anything."""
    if ":" not in lines[at].text or lines[at].quoted or _FIELD.fullmatch(lines[at].text) is None:
        return False
    return any(_FIELD.fullmatch(line.text) for line in (*lines[at - 1 : at], *lines[at + 1 : at + 2]))


def readable(lines: Iterable[Line]) -> list[Line]:
    """The lines as they are read, each as long as it is printed; those that are too long are passed over."""
    return [without_noise(with_plain_signs(line)) for line in lines if len(line.text) <= MAX_LINE]


def with_plain_signs(line: Line) -> Line:
    """The line with plain blanks and hyphens: HTML keeps `97&nbsp;&frac12;` together by others (spec 4.1, 4.2)."""
    return line if line.text.isascii() else replace(line, text=plain(line.text))


def plain(text: str) -> str:
    """The text with such signs."""
    return text if text.isascii() else text.translate(_PLAIN)
