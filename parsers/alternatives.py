"""Alternatives of a body: HTML where it has a table, else plain text; the other when the first gives no row.

One that is not used is skipped, unless it was looked at and cannot be read: then nobody knows what it would have said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parsers.codes import EXPECTED_CODES, Code, PartState
from parsers.documents import kinds
from parsers.mail.part import Part
from parsers.reading import Reading


def chosen(group: Sequence[Part], read: Callable[[Part], Reading]) -> list[Reading]:
    """Readings of all parts of one group: those of the alternative that is used, the others skipped or unreadable."""
    branches: dict[int, list[Part]] = {}
    for part in group:
        branches.setdefault(part.branch, []).append(part)
    done: dict[int, list[Reading]] = {}

    def readings(branch: int) -> list[Reading]:
        if branch not in done:
            done[branch] = [read(part) for part in branches[branch]]
        return done[branch]

    rich = [branch for branch, parts in branches.items() if any(part.content_type == kinds.HTML for part in parts)]
    plain = [branch for branch in branches if branch not in rich]
    tabular = [branch for branch in rich if any(reading.has_table for reading in readings(branch))]
    order = [*tabular, *plain, *(branch for branch in rich if branch not in tabular)]
    used = next((branch for branch in order if any(reading.quotes for reading in readings(branch))), order[0])
    broken = {reading.part.path: reading for found in done.values() for reading in found if _is_broken(reading)}
    skipped = [part for branch, parts in branches.items() if branch != used for part in parts]
    unused = (broken.get(part.path) or Reading(part=part, state=PartState.skipped) for part in skipped)
    return [*readings(used), *unused]


def _is_broken(reading: Reading) -> bool:
    """Not read, or not to its end."""
    return reading.code is not None and reading.code not in EXPECTED_CODES | {Code.TABLE_NOT_RECOGNISED}
