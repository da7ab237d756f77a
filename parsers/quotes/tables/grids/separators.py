"""Columns that hold nothing but `/` or `x`: they join their neighbours as pairs (spec 5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Cell, Row

_JOINTS = frozenset({"/", "x", "X", "×", "-", "–", "@"})
SAMPLED_ROWS = 60


def joined(rows: Sequence[Row], headed: frozenset[int], first: int, last: int) -> tuple[Row, ...]:
    """The rows with each separator column's pair in the cell on its left: `62 | / | 60` is `62/60`.

    Args:
        rows: the body of a table.
        headed: cells under a heading; where the right one has its own, both sides are named and stay.
        first: the table's first cell.
        last: behind its last.
    """
    joints = [at for at in range(first + 1, last - 1) if at + 1 not in headed and _separates(rows, at)]
    if not joints:
        return tuple(rows)
    return tuple(replace(row, cells=_joined(row.cells, joints)) for row in rows)


def _separates(rows: Sequence[Row], at: int) -> bool:
    texts = [row.cells[at].text for row in rows[:SAMPLED_ROWS] if row.cells[at].text]
    return bool(texts) and all(text in _JOINTS for text in texts)


def _joined(cells: Sequence[Cell], joints: Sequence[int]) -> tuple[Cell, ...]:
    made = list(cells)
    for at in joints:
        left, joint, right = made[at - 1], made[at], made[at + 1]
        if joint.text and (left.text or right.text):
            made[at - 1] = replace(left, text=f"{left.text}{joint.text}{right.text}", value=None)
            made[at] = replace(joint, text="")
            made[at + 1] = replace(right, text="", value=None)
    return tuple(made)
