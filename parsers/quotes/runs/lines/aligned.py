"""Tables that are typed out in text: header lines, and rows that stand under them (spec 5.1, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.quotes.headings import phrases
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.roles import IDENTITY, LEVEL, UNKNOWN
from parsers.quotes.runs.lines import skip
from parsers.quotes.tables.around.records import is_record
from parsers.quotes.tables.grids.corners import over_tenors

_CELLS = compiled(r"\S+(?:[ ]\S+)*")
_PARTED = compiled(r"\s\s|[^\S ]|\|")  # a line of one cell has none of these
NAMES = "Name"
"""The heading of what stands under a blank corner; expiries, where that is tenors: a grid of swaptions."""
_INDENT = 3
"""Blanks in front of a header whose first column has no heading: the rows' tenors or names stand under them."""
_GUIDANCE = compiled(r"\b(?:ipts?|guidance)\b", re.IGNORECASE)
_SIDE = "(?i:{side_word})"
_NUMERIC = compiled(
    rf"(?:{_SIDE}\s+)?[+\-−–(]?\d[\d.,]*\d?(?:[%)]|\s?(?![mM]\b){{size_unit}})?|"
    rf"(?=.{{0,40}}\d)(?:[\d.,/%½¼¾⅛⅜⅝⅞]++|(?i:{{between_figures}}|@)|[\s;]++){{3,12}}"
)
"""A number, a side and its value, a size."""
_WORDED = compiled(rf"[^\W\d]+[.:]?\s+\d+[.,]\d{{2,}}|{_SIDE}\s+\d[\d.,]*\s?/\s?{_SIDE}\s+\d[\d.,]*")
"""`Kurs 184,20`, `compra 96,4 / venda 97,6`."""
_RESULT = compiled(r"{result_word}\s?:?\s(?:[A-Z]{0,4}\+)?\d", re.IGNORECASE)  # `cover: 64 1/4`
_DECIMAL_PAIR = compiled(r"\d[.,]\d+\s?/\s?\d")
_PRICED = compiled(r"\d[.,]\d+[ ]?/[ ]?\d")  # such a pair within a cell, told without cutting the cells
_REFERRING = compiled(r"ref(?:erence)?\.?", re.IGNORECASE)
_GLUED = 3  # blanks
_BOTH_SIDES = compiled(r"{bid_short} (\S+) {ask_short} \1", re.IGNORECASE)
_FIGURE = compiled(r"\d")
_FIGURES = compiled(r"(?!.*000)[\d.,/ ()–-]+")  # have no meaning in a heading, but for the thousands of `000`


class HeaderLine(Struct, frozen=True):
    """A line of column headings."""

    columns: tuple[Column, ...]
    spans: tuple[tuple[int, int], ...]  # of each heading in the line
    texts: tuple[str, ...]

    @property
    def hints(self) -> tuple[str, ...]:
        """The measures of its level columns, one for a bid and ask of the same measure."""
        found: list[str] = []
        sides: dict[str, set[str | None]] = {}
        for heading in self.columns:
            if heading.role != LEVEL or heading.kind is not None:
                continue
            name = heading.measure or ""
            seen = sides.setdefault(name, set())
            if heading.side in ("bid", "ask") and seen and heading.side not in seen:
                seen.add(heading.side)
                continue
            seen.add(heading.side)
            found.append(name)
        return tuple(found)

    @property
    def is_primary(self) -> bool:
        """Whether it heads the guidance of new issues, which is no quote (spec 2.9)."""
        return any(_GUIDANCE.search(text) for text in self.texts)

    @property
    def is_split(self) -> bool:
        """Whether bid and ask have columns of their own."""
        sides = {heading.side for heading in self.columns if heading.role == LEVEL}
        return {"bid", "ask"} <= sides

    @property
    def is_curve(self) -> bool:
        """Whether its levels are told apart by what only their headings say: tenors, kinds of option."""
        levels = [heading for heading in self.columns if heading.role == LEVEL]
        return any(heading.tenor or heading.option_struct for heading in levels)


def cells(text: str, *, framed: bool = True) -> list[tuple[int, int, str]]:
    """The cells of a line: start, end, text. Cut at tabs, at `|`, else at two spaces and more.

    Args:
        text: the line.
        framed: a bar in front of it may be a frame's; under headings without a frame it has an empty first cell.
    """
    if "\t" in text:
        found, at = [], 0
        for part in text.split("\t"):
            found.append((at, at + len(part), part.strip()))
            at += len(part) + 1
        return found
    if text.count("|") >= 2:
        return _ruled(text, framed=framed)
    return [(match.start(), match.end(), match[0]) for match in _CELLS.finditer(text)]


def _ruled(text: str, *, framed: bool) -> list[tuple[int, int, str]]:
    """The cells between bars; one that blanks alone stand in front of has an empty cell there, unless it is framed."""
    bare = text.rstrip()
    is_framed = bare.endswith("|")
    has_bar = text.lstrip().startswith("|") and (is_framed or (framed and text[0] == "|"))
    at = len(text) - len(text.lstrip()) + 1 if has_bar else 0
    found = []
    for part in bare[at : -1 if is_framed else None].split("|"):
        found.append((at, at + len(part), part.strip()))
        at += len(part) + 1
    return found


@lru_cache(maxsize=skip.REMEMBERED)
def header_line(text: str) -> HeaderLine | None:
    """The column headings of a line, or None where it is no header: it needs an identity and a level column.

    A record needs no level: `ISIN | Security | Fee (bp)`.
    """
    if len(text) > 300 or _PRICED.search(text) or not _PARTED.search(text) or not any(map(str.isalpha, text)):
        return None
    found = _unglued(cells(text))
    columns = _columns(found) if len(found) > 1 else ()
    if not columns:
        return None
    if found[0][0] >= _INDENT and (_is_of_curves(columns) or _is_of_nameless(columns)):
        found = [(0, found[0][0] - 2, "Tenor" if columns[0].option_struct else NAMES), *found]
        columns = tuple(column(at, (cell,)) for at, (_, _, cell) in enumerate(found))
    if not _are_headings(columns):
        return None
    return HeaderLine(columns, tuple((start, end) for start, end, _ in found), tuple(cell for _, _, cell in found))


def _are_headings(columns: Sequence[Column]) -> bool:
    """Whether at least half of the words are known, a level or record and an instrument among them."""
    if sum(one.role == UNKNOWN for one in columns) * 2 > len(columns):
        return False
    roles = {one.role for one in columns}
    is_priced = LEVEL in roles or is_record(columns)
    return is_priced and (not roles.isdisjoint(IDENTITY) or _is_under_title(columns))


def _unglued(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The cells of a header, those cut in two that are the same for either side: `BID SZ ASK SZ`."""
    parted = []
    for start, end, cell in found:
        if cell.count(" ") == _GLUED and _BOTH_SIDES.fullmatch(cell):
            at = start + cell.index(" ", cell.index(" ") + 1)
            parted += [(start, at, cell[: at - start]), (at + 1, end, cell[at + 1 - start :])]
        else:
            parted.append((start, end, cell))
    return parted


def _columns(found: Sequence[tuple[int, int, str]]) -> tuple[Column, ...]:
    """What the cells head; nothing where they are a row's. `Tenor`, and then curves, is a header."""
    first = found[0][2]  # with a figure it is a row's
    if not _FIGURE.search(first) and column(0, (first,)).role == "tenor":
        curves = over_tenors(tuple(column(at, (cell,)) for at, (_, _, cell) in enumerate(found)), ())
        if any(one.role == LEVEL and one.title for one in curves):
            return curves
    return () if _is_of_a_row(found) else tuple(column(at, (cell,)) for at, (_, _, cell) in enumerate(found))


def _is_of_curves(columns: Sequence[Column]) -> bool:
    """Whether tenors or kinds of option head all columns."""
    return all(one.role == LEVEL and (one.option_struct or one.tenor) for one in columns)


def _is_under_title(columns: Sequence[Column]) -> bool:
    """Whether a section's title heads the names, and bid and ask stand beside it: `TMT  Bid  Ask  YTW`."""
    sides = [one.side for one in columns if one.role == LEVEL and one.side is not None]
    return (
        columns[0].role == UNKNOWN and sides[:2] == ["bid", "ask"] and all(one.role != UNKNOWN for one in columns[1:])
    )


def _is_of_nameless(columns: Sequence[Column]) -> bool:
    """Whether bid or ask comes first, and at most a `ref` says what a row is of: of a convertible that is its stock."""
    is_known = all(one.role != UNKNOWN for one in columns)
    named = [one.text for one in columns if one.role in IDENTITY]
    return columns[0].side is not None and is_known and all(map(_REFERRING.fullmatch, named))


def _is_of_a_row(found: Sequence[tuple[int, int, str]]) -> bool:
    """Whether cells hold a number, or mostly words that no heading has; told at the first cells, as of most lines."""
    texts = []
    for _, _, cell in found:
        if _NUMERIC.fullmatch(cell) or _WORDED.fullmatch(cell) or _DECIMAL_PAIR.search(cell) or _RESULT.match(cell):
            return True
        if not _FIGURES.fullmatch(cell):
            texts.append(cell)
    unknown = len(found) - len(texts)
    for text in texts:
        unknown += not phrases.heading(text).meanings
        if unknown * 2 > len(found):
            return True
    return False
