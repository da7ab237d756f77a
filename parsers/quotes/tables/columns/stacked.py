"""Bid rows over ask rows of the same key, read as one row (spec 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from parsers.document import Cell, Row
from parsers.quotes.headings.phrases import heading
from parsers.quotes.tables.columns.fields import Fields
from parsers.values.words import fold

_KEYS = ("isin", "cusip", "identifier", "red_code", "description", "issuer", "ticker", "tenor")


_LETTERS = {"b": "bid", "a": "ask", "o": "ask", "s": "ask", "m": "mid"}
_UNDER_HEADING = {"k": "bid", "c": "bid", "v": "ask"}
"""Of Kauf, compra, vente, under the heading of a column of sides alone: classes `A`, `B`, `C` are none."""
_PAIRS = {("b", "a"), ("b", "o"), ("b", "s"), ("g", "b"), ("d", "l"), ("c", "v"), ("a", "v"), ("d", "o"), ("k", "v")}
_LATIN = {("sens",), ("senso",), ("verso",), ("direzione",), ("operazione",)}
"""Headings of languages in which `A` is achat or acquisto, beside `V`."""


@lru_cache(maxsize=1024)  # asked of each heading
def is_side_letters(heading: str) -> bool:
    """Whether the heading lists the letters of both sides: `C/V`, `K/V`."""
    return tuple(fold(heading)) in _PAIRS


def side_word(text: str, over: str = "") -> str | None:
    """`bid`, `ask`, `mid` or `both`, where the whole text is one such word; `over` is the heading of its column."""
    if len(text) == 1:
        letters, letter = tuple(fold(over)), text.lower()
        if letters in _PAIRS and letter in letters:
            return "bid" if letter == letters[0] else "ask"
        if letter == "a" and letters in _LATIN:
            return "bid"
        return _LETTERS.get(letter) or (_UNDER_HEADING.get(letter) if over else None)
    found = heading(text)
    sides = set(found.meanings.get("side", ()))
    if found.unknown or found.meanings.keys() - {"side", "field", "language", "filler"}:
        return None
    return "both" if {"bid", "ask"} <= sides else found.one("side")


def units(body: Sequence[Row], fields: Fields) -> Iterator[tuple[Row, Row | None]]:
    """The rows, each with the ask row that belongs to it, if bid and ask rows are stacked."""
    at = 0
    places = fields.at.get("axe", ())
    while at < len(body):
        row = body[at]
        following = body[at + 1] if at + 1 < len(body) else None
        if following is not None and places and _is_pair(row, following, fields, places[0]):
            yield row, following
            at += 2
        else:
            yield row, None
            at += 1


def _is_pair(row: Row, following: Row, fields: Fields, at: int) -> bool:
    if side_word(row.cells[at].text) != "bid" or side_word(following.cells[at].text) != "ask":
        return False
    return all(_same(row.cells[index], following.cells[index]) for role in _KEYS for index in fields.at.get(role, ()))


def _same(upper: Cell, lower: Cell) -> bool:
    return not lower.text or lower.text == upper.text
