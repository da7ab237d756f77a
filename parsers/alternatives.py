"""Alternatives of a body: HTML where it has a table, else plain text; the other when the first gives no row.

One that is not used is skipped, unless it was looked at and cannot be read: then nobody knows what it would have said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from parsers.codes import EXPECTED_CODES, Code, PartState
from parsers.documents import kinds
from parsers.mail.part import Part
from parsers.reading import Reading


def readings_of(parts: Sequence[Part], read: Callable[[Part], Reading], depth: int = 0) -> list[Reading]:
    """Each part read once, or skipped for another alternative. `depth`: of so many around them it is settled."""
    groups: dict[object, list[Part]] = {}
    for part in parts:
        is_alternative = part.is_body and len(part.alternatives) > depth
        groups.setdefault(part.alternatives[depth][0] if is_alternative else part.path, []).append(part)
    found: list[Reading] = []
    for group in groups.values():
        is_alternative = group[0].is_body and len(group[0].alternatives) > depth
        found += _chosen(group, read, depth) if is_alternative else [read(group[0])]
    return found


def _chosen(group: Sequence[Part], read: Callable[[Part], Reading], depth: int) -> list[Reading]:
    """Readings of all parts of one group: those of the alternative that is used, the others skipped or unreadable."""
    branches: dict[int, list[Part]] = {}
    for part in group:
        branches.setdefault(part.alternatives[depth][1], []).append(part)
    done: dict[int, list[Reading]] = {}

    def readings(branch: int) -> list[Reading]:
        if branch not in done:
            done[branch] = readings_of(branches[branch], read, depth + 1)
        return done[branch]

    if len(branches) == 1:
        return readings(group[0].alternatives[depth][1])

    order = _in_order(branches, readings)
    used = next((branch for branch in order if any(reading.quotes for reading in readings(branch))), order[0])
    broken = {reading.part.path: reading for found in done.values() for reading in found if _is_broken(reading)}
    skipped = [part for branch, parts in branches.items() if branch != used for part in parts]
    unused = (broken.get(part.path) or Reading(part=part, state=PartState.skipped) for part in skipped)
    return [*readings(used), *unused]


def _in_order(branches: Mapping[int, Sequence[Part]], readings: Callable[[int], Sequence[Reading]]) -> list[int]:
    """The alternatives, the best first: HTML with a table, plain text, other HTML."""
    rich = [branch for branch, parts in branches.items() if any(part.content_type == kinds.HTML for part in parts)]
    plain = [branch for branch in branches if branch not in rich]
    tabular = [branch for branch in rich if any(reading.has_table for reading in readings(branch))]
    return [*tabular, *plain, *(branch for branch in rich if branch not in tabular)]


def _is_broken(reading: Reading) -> bool:
    """Not read, or not to its end."""
    return reading.code is not None and reading.code not in EXPECTED_CODES | {Code.TABLE_NOT_RECOGNISED}
