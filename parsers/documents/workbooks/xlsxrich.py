"""Cells of an XLSX whose text looks different in parts: what is struck of it is gone, what is raised no digit.

Calamine runs such parts together as if they looked alike. Few workbooks have any, so these are read anew.
"""

from __future__ import annotations

from lxml.etree import _Element

from parsers.documents.package import local, parse_xml, stream_xml
from parsers.documents.workbooks.looks import Font, Rich, rich
from parsers.documents.workbooks.xlsxscan import column_number

_DIGITS = 10  # no file has strings for a number of as many
_RAISED = frozenset({"superscript", "subscript"})
_MARKS = (b"strike", b"vertAlign")


def rich_strings(shared: bytes | None) -> dict[int, Rich]:
    """Of a sharedStrings.xml, those with marks, by their number.

    Raises:
        Unreadable: CORRUPT_PART.
    """
    if shared is None or not _is_marked(shared):
        return {}
    items = (item for item in parse_xml(shared) if local(item) == "si")
    found = ((number, _rich(item)) for number, item in enumerate(items))
    return {number: text for number, text in found if text is not None}


def rich_cells(sheet: bytes, strings: dict[int, Rich]) -> dict[tuple[int, int], Rich]:
    """The cells of a sheet that show one of these strings, or have marks in a text of their own, by row and column.

    Raises:
        Unreadable: CORRUPT_PART.
    """
    cells: dict[tuple[int, int], Rich] = {}
    if not strings and not _is_marked(sheet):
        return cells
    number = 0
    for row in stream_xml(sheet, ("row",)):
        number = int(row.get("r") or number + 1)
        column = 0
        for cell in row:
            name = cell.get("r")
            column = column_number(name.rstrip("0123456789")) if name else column + 1
            text = _of_cell(cell, strings)
            if text is not None:
                cells[number, column] = text
    return cells


def _of_cell(cell: _Element, strings: dict[int, Rich]) -> Rich | None:
    kind = cell.get("t")
    if kind not in {"s", "inlineStr"}:
        return None
    for part in cell:
        if kind == "s" and local(part) == "v":
            number = (part.text or "").strip()
            return strings.get(int(number)) if number.isdecimal() and len(number) < _DIGITS else None
        if kind == "inlineStr" and local(part) == "is":
            return _rich(part)
    return None


def _rich(item: _Element) -> Rich | None:
    """A string of several parts; None where none of them has a mark."""
    runs: list[tuple[str, Font | None]] = []
    for part in item:
        if local(part) == "t":
            runs.append((part.text or "", None))
        elif local(part) == "r":
            text = "".join(each.text or "" for each in part if local(each) == "t")
            look = next((each for each in part if local(each) == "rPr"), None)
            runs.append((text, None if look is None else _font(look)))
    return rich(runs)


def _font(look: _Element) -> Font:
    marks = {local(mark): mark.get("val") for mark in look}
    struck = marks.get("strike", "0") not in {"0", "false"}
    return Font(struck=struck, raised=marks.get("vertAlign") in _RAISED)


def _is_marked(xml: bytes) -> bool:
    return any(mark in xml for mark in _MARKS)
