"""Bid rows over ask rows of the same key, read as one row (spec 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parsers.document import Cell, Row
from parsers.quotes.headings.phrases import heading
from parsers.quotes.tables.fields import Fields

_KEYS = ("isin", "cusip", "identifier", "red_code", "description", "issuer", "ticker", "tenor")


_LETTERS = {"b": "bid", "a": "ask", "o": "ask", "s": "ask", "m": "mid"}


def side_word(text: str) -> str | None:
    """`bid`, `ask`, `mid` or `both`, where the whole text is one such word."""
    if len(text) == 1:
        return _LETTERS.get(text.lower())
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
