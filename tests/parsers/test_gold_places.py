"""Every gold quote's cells or line are in the document where the truth says: before anybody asks what they mean."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from parsers.document import Document, Grid, Line, Row
from parsers.documents.readers import read_document
from parsers.mail.unpack import unpack

Truth = dict[str, Any]


def documents(mail: Path) -> dict[str, Document]:
    """By part path, those that the mail's truth names."""
    named = {quote["part_path"] for quote in truths(mail)}
    parts = unpack(mail.read_bytes(), {}, lambda _: None).parts
    return {part.path: read_document(part.data, part.content_type, part.hints) for part in parts if part.path in named}


def truths(mail: Path) -> list[Truth]:
    lines = mail.with_suffix(".jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line["kind"] == "quote"]


def at_place(document: Document, quote: Truth) -> Iterator[str]:
    """Rows and lines at the stated place, cells joined by TAB; rows whose stated cell is empty are not there."""
    for block in document.blocks:
        if isinstance(block, Line):
            if _is_line(block, quote):
                yield block.text
        elif _is_table(block, quote):
            yield from ("\t".join(cell.text for cell in row.cells) for row in block.rows if _is_row(row, quote))


def _is_table(grid: Grid, quote: Truth) -> bool:
    return (
        "line" not in quote
        and quote.get("sheet") == grid.sheet
        and quote.get("table_idx", grid.table_idx) == grid.table_idx
    )


def _is_line(line: Line, quote: Truth) -> bool:
    return line.number == quote["line"] if "line" in quote else "row" not in quote and line.page == quote.get("page")


def _is_row(row: Row, quote: Truth) -> bool:
    if quote.get("row", row.number) != row.number or quote.get("page", row.page) != row.page:
        return False
    return "col" not in quote or any(cell.column == quote["col"] and cell.text for cell in row.cells)


def words(text: str) -> set[str]:
    """Numbers by their value: 154.0 is shown as 154."""
    return {_value(word) for word in text.lower().replace("/", " ").split()}


def _value(word: str) -> str:
    return f"{float(word):g}" if re.fullmatch(r"-?\d+(?:\.\d+)?", word) else word


def holds(text: str, quote: Truth) -> bool:
    """Most words of the source, which in a workbook may be shown otherwise; or a level, where instruments are columns."""
    source, found = words(quote.get("raw_text", "")), words(text)
    levels = {_value(quote[side]) for side in ("bid", "ask", "mid") if side in quote}
    return bool(text) and (2 * len(source & found) >= len(source) or not levels.isdisjoint(found))


def test_each_gold_quote_stands_where_the_truth_says(shared: Callable[[str], Path]) -> None:
    missing, count = [], 0
    for mail in sorted(shared("gold").glob("dev/*.eml")):
        read = documents(mail)
        for quote in truths(mail):
            count += 1
            if not any(holds(text, quote) for text in at_place(read[quote["part_path"]], quote)):
                missing.append((mail.name, quote))
    assert (missing, count > 1000) == ([], True)
