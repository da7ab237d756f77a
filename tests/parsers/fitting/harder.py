"""Parts made harder to read: a heading, a header cell or a unit taken away, or a word there that nobody knows."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from parsers.document import Document, Grid, Line
from parsers.quotes.context import PartContext

Part = tuple[Document, PartContext]
Harder = Callable[[Document, PartContext, random.Random], Part]

_UNITS = re.compile(r"(?<![A-Za-z])(?:bps?|dm|yld|ytm|ytw|px|pts|mm|asw|oas)(?![A-Za-z])|%|\$|€", re.IGNORECASE)
_UNKNOWN = "Xyzzy"
_MOST_HEADING, _MOST_HEADER = 80, 30  # characters


def without_heading(document: Document, context: PartContext, chance: random.Random) -> Part:
    """Without the subject, or without a line that has words and no figure."""
    heads = [at for at, block in enumerate(document.blocks) if isinstance(block, Line) and _is_heading(block.text)]
    at = chance.choice([-1, *heads])
    if at < 0:
        return document, replace(context, mail=replace(context.mail, subject=""))
    return _with(document, at, ""), context


def without_header_cell(document: Document, context: PartContext, chance: random.Random) -> Part:
    """Without the words of a cell of a table's first row of words, or of a line that heads others."""
    return _with_header_cell(document, context, chance, "")


def with_unknown_header_cell(document: Document, context: PartContext, chance: random.Random) -> Part:
    """With a word that nobody knows in such a cell."""
    return _with_header_cell(document, context, chance, _UNKNOWN)


def _with_header_cell(document: Document, context: PartContext, chance: random.Random, text: str) -> Part:
    grids = [(at, block) for at, block in enumerate(document.blocks) if isinstance(block, Grid)]
    places = [
        (at, number, column)
        for at, grid in grids
        for number, row in list(enumerate(grid.rows))[:3]
        if sum(_is_heading(cell.text) for cell in row.cells) > 1
        for column, cell in enumerate(row.cells)
        if _is_heading(cell.text)
    ]
    if not places:
        return document, context
    at, number, column = chance.choice(places)
    grid = dict(grids)[at]
    cells = list(grid.rows[number].cells)
    cells[column] = replace(cells[column], text=text, value=None)
    rows = list(grid.rows)
    rows[number] = replace(rows[number], cells=tuple(cells))
    blocks = list(document.blocks)
    blocks[at] = replace(grid, rows=tuple(rows))
    return replace(document, blocks=tuple(blocks)), context


def without_unit(document: Document, context: PartContext, chance: random.Random) -> Part:
    """Without a unit or word of measure, wherever it stands in the part and its subject but for its titles."""
    said = sorted({match.lower() for text in _texts(document) for match in _UNITS.findall(text)})
    if not said:
        return document, context
    unit = re.compile(rf"(?<![A-Za-z]){re.escape(chance.choice(said))}(?![A-Za-z])", re.IGNORECASE)

    def without(text: str) -> str:
        if len(text) > _MOST_HEADER and _is_heading(text):  # a title, which may be all that names the instruments
            return text
        return unit.sub(lambda match: " " * len(match[0]), text)

    blocks = tuple(
        replace(block, text=without(block.text)) if isinstance(block, Line) else _grid_without(block, without)
        for block in document.blocks
    )
    mail = replace(context.mail, subject=without(context.mail.subject or ""))
    return replace(document, blocks=blocks), replace(context, mail=mail)


HARDER: Mapping[str, Harder] = MappingProxyType(
    {
        "heading": without_heading,
        "header cell": without_header_cell,
        "unknown header cell": with_unknown_header_cell,
        "unit": without_unit,
    }
)


def _is_heading(text: str) -> bool:
    is_short = 0 < len(text.strip()) <= _MOST_HEADING
    return is_short and any(map(str.isalpha, text)) and not any(map(str.isdigit, text))


def _texts(document: Document) -> list[str]:
    lines = [block.text for block in document.blocks if isinstance(block, Line)]
    grids = [block for block in document.blocks if isinstance(block, Grid)]
    return lines + [cell.text for grid in grids for row in grid.rows for cell in row.cells if cell.text]


def _with(document: Document, at: int, text: str) -> Document:
    blocks = list(document.blocks)
    block = blocks[at]
    if isinstance(block, Line):
        blocks[at] = replace(block, text=text)
    return replace(document, blocks=tuple(blocks))


def _grid_without(grid: Grid, without: Callable[[str], str]) -> Grid:
    rows = [
        replace(row, cells=tuple(replace(cell, text=without(cell.text).strip()) for cell in row.cells))
        for row in grid.rows
    ]
    return replace(grid, rows=tuple(rows))
