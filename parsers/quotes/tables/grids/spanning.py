"""Headings over several columns: merged cells, and in formats without merges a word over its group (spec 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.document import Row
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.roles import IDENTITY


def heading_parts(stacked: Sequence[Row]) -> list[tuple[str, ...]]:
    """The texts over each cell, uppermost first; a heading that spans several columns belongs to each."""
    levels = [
        _spread(row, stacked[depth + 1] if depth + 1 < len(stacked) else None) for depth, row in enumerate(stacked)
    ]
    found = []
    for texts in zip(*levels, strict=True):
        parts = [text for text in texts if text]
        found.append(tuple(text for at, text in enumerate(parts) if at == 0 or text != parts[at - 1]))
    return found


def _spread(row: Row, below: Row | None) -> list[str]:
    """The row's headings, each over all the columns that it spans."""
    texts = _merged(row)
    if below is None or any(not cell.text and cell.origin is not None for cell in row.cells):
        return texts
    for group in _groups(below):
        over = [texts[at] for at in group if texts[at]]
        for at in group:
            if len(over) == 1:
                texts[at] = over[0]
            elif not texts[at] and at - 1 in group and _is_opposite(below.cells[at - 1].text, below.cells[at].text):
                texts[at] = texts[at - 1]
    return texts


def _merged(row: Row) -> list[str]:
    """The row's texts, each in all the cells that were merged into its own."""
    texts = [cell.text for cell in row.cells]
    offset = row.cells[0].column if row.cells else 0
    for at, cell in enumerate(row.cells):
        if not cell.text and cell.origin is not None and cell.origin[0] == row.number:
            source = cell.origin[1] - offset
            texts[at] = row.cells[source].text if 0 <= source < len(texts) else ""
    return texts


def _is_opposite(left: str, right: str) -> bool:
    """`Bid` and, right of it, `Ask`: what stands over the one is over both."""
    return column(0, (left,)).side == "bid" and column(1, (right,)).side == "ask"


def _groups(lower: Row) -> list[list[int]]:
    """Neighbouring headings that may share the one above: `Price | ·` over `Bid | Ask`; for formats without merges.

    A group ends where one of its labels would repeat, and behind what names the rows: `Tenor | Bid | Ask`.
    """
    groups: list[list[int]] = []
    seen: set[str] = set()
    previous, was_key = -2, False
    for index, cell in enumerate(lower.cells):
        label = cell.text.casefold()
        if not label:
            continue
        is_key = column(0, (cell.text,)).role in IDENTITY
        if label in seen or index != previous + 1 or (was_key and not is_key):
            groups.append([])
            seen = set()
        groups[-1].append(index)
        seen.add(label)
        previous, was_key = index, is_key
    return [_as_before(lower, *pair) for pair in zip([[], *groups], groups, strict=False)]


def _as_before(lower: Row, before: Sequence[int], group: list[int]) -> list[int]:
    """The group without what its left twin lacks: a `Size` behind `Price | Yield`, `Price | Yield` is of both."""
    labels = [[lower.cells[at].text.casefold() for at in one] for one in (before, group)]
    return group[: len(before)] if len(before) > 1 and labels[1][: len(before)] == labels[0] else group
