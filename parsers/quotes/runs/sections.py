"""What stands above a table in the section of a mail that it is in (spec 5.6)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.document import Grid, Line
from parsers.quotes.headings.nearest import MOST, nearest
from parsers.quotes.headings.setting import Setting
from parsers.quotes.headings.told import told

_LOOKED_AT = 3  # tables, the first apart
_LOOKED_BACK = 100  # lines, for the title of a section


def section_start(lines: Sequence[Line], at: int, setting: Setting) -> int:
    """The index of the title of the section that a line stands in; 0 where no other desk's section stands above it."""
    if not setting.is_later:
        return 0
    start = 0
    for above in range(at - 1, max(at - 1 - _LOOKED_BACK, -1), -1):
        line = told(lines[above].text)
        if line.is_title and line.named == setting.section:
            start = above
        elif start and lines[above].text.strip():
            break
    return start


def above_table(
    lines: Sequence[Line], at: int, setting: Setting, tables: Sequence[tuple[int, int]]
) -> list[Line | Grid]:
    """What stands above a table and can be about it, none of another desk's section.

    Args:
        lines: of the part.
        at: the index of the table's first line.
        setting: above the table.
        tables: the first index and the one behind of each table above; an empty grid stands for one.
    """
    start = section_start(lines, at, setting)
    blocks: list[Line | Grid] = []
    for first, end in (*tables[:1], *tables[1:][-_LOOKED_AT:]):
        if end > start:
            blocks += [*lines[start : min(first, start + MOST)], Grid(())]
            start = end
    return [*blocks, *nearest(lines[start:at] if start else lines, at - start)]
