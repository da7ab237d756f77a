"""Which blocks of a part can be about a table (spec 5.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Block = TypeVar("Block")

MOST = 100
"""Blocks at the beginning of the part, and right above a table, that are looked at. A part may hold thousands of
tables: each of them looking at all above it takes time that grows with the square of the part."""


def nearest(blocks: Sequence[Block], at: int) -> list[Block]:
    """The blocks above an index that can be about the one at it: the part's first, and those right above, in order."""
    return [*blocks[: min(at, MOST)], *blocks[max(MOST, at - MOST) : at]]
