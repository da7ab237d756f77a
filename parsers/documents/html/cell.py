"""One HTML cell: its text as a reader sees it, and what holds for all of that text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element

from parsers.document import Cell
from parsers.documents.fold import fold
from parsers.documents.html.style import NOTHING, Look, Styles, Told
from parsers.documents.html.tables import Tables
from parsers.documents.raised import spelled
from parsers.documents.spans import MAX_COLUMNS
from parsers.documents.withdrawn import standing

BLOCKS = frozenset(  # elements that begin and end a line
    """address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th
    thead tr ul""".split()  # noqa: SIM905 -- a list of literals would fill a page
)
UNSEEN = frozenset(
    {
        "script",
        "style",
        "head",
        "title",
        "noscript",
        "rp",
        "template",
        "object",
        "iframe",
        "svg",
        "math",
        "select",
        "textarea",
    }
)
BREAKS = BLOCKS | {"br"}  # elements that begin a line
_MAX_ROW_SPAN = 65_534  # as browsers limit it


def cell(element: _Element, styles: Styles, tables: Tables, around: Look, *, filled: bool) -> Cell:
    """A td or th, yet without its column, and without what tables of several columns in it hold.

    Args:
        element: the cell.
        styles: the page's.
        tables: the page's.
        around: the look of its row.
        filled: its row has a background of its own.
    """
    told = styles.told(element)
    is_filled = filled if told.filled is None else told.filled
    spans = _span(element, "rowspan", _MAX_ROW_SPAN), _span(element, "colspan", MAX_COLUMNS)
    if len(element) == 0:  # most
        text = element.text or ""
        if not text or text.isspace():
            return Cell("", filled=is_filled, row_span=spans[0], col_span=spans[1])
        look = around if told is NOTHING else told.inside(around)
        text = "" if look.sizeless else fold(text)
        struck = look.struck and not look.sizeless
        return Cell(text, None, None, 0, look.bold, is_filled, struck, look.unseen, *spans)
    runs = list(runs_of(element, styles, tables, around))
    looks = {look for text, look in runs if text and not text.isspace()}
    runs = seen(runs)
    text, struck = standing([(text, look.struck) for text, look in runs])
    return Cell(
        text=fold(text),
        bold=bool(looks) and all(look.bold for look in looks),
        filled=is_filled,
        struck=struck,
        hidden=bool(looks) and all(look.unseen for look in looks),
        row_span=spans[0],
        col_span=spans[1],
    )


def runs_of(cell: _Element, styles: Styles, tables: Tables, around: Look) -> Iterator[tuple[str, Look]]:
    """What a reader sees in the cell, and how it looks."""
    looks = [around]
    walk = etree.iterwalk(cell, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            looks.pop()
            if element is not cell:
                yield (" " if element.tag in BLOCKS else "") + (element.tail or ""), looks[-1]
            continue
        looks.append(looks[-1])
        told = styles.told(element)
        marks = raised(element) if told.raised else None
        if marks is None and not is_left_out(element, told) and tables.rows(element) is None:
            looks[-1] = looks[-1] if told is NOTHING else told.inside(looks[-1])
            yield (" " if element.tag in BREAKS else "") + (element.text or ""), looks[-1]
        else:
            yield marks or "", looks[-1]
            walk.skip_subtree()


def seen(runs: list[tuple[str, Look]]) -> list[tuple[str, Look]]:
    """Of texts in their order those that can be seen, a space in the place of others; all where none has a colour."""
    if any(look.sizeless for _, look in runs):
        runs = [(" " if look.sizeless else text, look) for text, look in runs]
    if len({look.unseen for text, look in runs if text and not text.isspace()}) < 2:
        return runs
    return [(" " if look.unseen else text, look) for text, look in runs]


def is_left_out(element: _Element, told: Told) -> bool:
    """No reader sees any of it."""
    return told.hidden or element.tag in UNSEEN


def raised(sup: _Element) -> str | None:
    """How a raised or lowered number reads in a line; None for what is none."""
    text = "".join(str(text) for text in sup.itertext())
    beside, around = sup.getprevious(), sup.getparent()
    before = beside.tail if beside is not None else around.text if around is not None else None
    seen = spelled(text, before or "", sup.tail or "")
    return None if seen == text else seen


def _span(cell: _Element, name: str, most: int) -> int:
    """A span as browsers read it: at least 1, never beyond the standard's limit."""
    said = cell.get(name)
    digits = re.match(r"\s*(\d{1,9})", said) if said else None
    return min(max(int(digits[1]), 1), most) if digits else 1
