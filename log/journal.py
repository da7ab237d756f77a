"""Moves of a group: carried out in one batch with their entry in the journal, and undone from it."""

from __future__ import annotations

import getpass
import os
import socket
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from log.errors import GroupUnreadable, LogUnusable
from log.groups import ids_of, move_record, offset_record
from log.rewind import Move, Target, plan
from log.times import now_ms as clock_ms
from log.types import GroupOffset, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.interface import CommitLog, Standing
    from log.types import Record


@dataclass(frozen=True, slots=True)
class Entry:
    """A move that was carried out."""

    group: str
    generation: int  # the group's from then on; it names the entry
    moved_at_ms: int
    by: str  # user, machine and process
    reason: str
    undoes: int | None  # the entry that this one took back
    moves: tuple[Move, ...]


def journal(log: CommitLog, group: str) -> list[Entry]:
    """What was done to the group, the oldest first."""
    return [_entry(group, generation, value) for generation, value in log.standing().moves(group).items()]


def move(
    log: CommitLog,
    group: str,
    sources: Sequence[TopicPartition],
    target: Target,
    *,
    reason: str = "",
    undoes: int | None = None,
) -> list[Move]:
    """Move the group, durably, planned and done while nobody else commits; what was moved.

    The group's generation grows, so that consumers that are running read on from there, and cannot commit what they
    read before. Raises LogUnusable, PartitionBusy, and as `append` does.
    """
    moves: list[Move] = []

    def decide(known: Standing) -> list[Record]:
        ids = ids_of(log, group, sources)
        moves[:] = plan(log, group, sources, target)
        latest, generation, now_ms = known.latest(group), known.generation(group) + 1, clock_ms()
        value = {"moved_at_ms": now_ms, "by": who(), "reason": reason, "undoes": undoes}
        records = [move_record(group, generation, {**value, "moves": [_without_group(one) for one in moves]})]
        for one in moves:
            source = TopicPartition(one.topic, one.partition)
            metadata = latest[source].metadata if source in latest else ""
            moved = GroupOffset(one.to, now_ms, metadata, generation, ids[one.topic])
            records.append(offset_record(group, source, moved))
        return records

    log.change_group(group, decide)
    return moves


def undo_target(log: CommitLog, group: str) -> tuple[Entry, Target]:
    """The group's latest move that stands, and the way back. Raises LogUnusable without one.

    Where the group was moved back and has read again all it had read, it stays: to return would read it a third time.
    """
    entries = journal(log, group)
    undone = {entry.undoes for entry in entries}
    standing = [entry for entry in entries if entry.undoes is None and entry.generation not in undone]
    if not standing:
        raise LogUnusable(f"group {group}: the journal has no move to undo; `otclog group journal {group}` shows it")
    before = {TopicPartition(one.topic, one.partition): one for one in standing[-1].moves}

    def target(log: CommitLog, source: TopicPartition, committed: int | None) -> int:
        was = before[source]
        back = log.span(source).start if was.committed is None else was.committed
        return max(back, committed or 0) if was.to < back else back

    return standing[-1], target


def delete_offsets(log: CommitLog, group: str, sources: Sequence[TopicPartition]) -> None:
    """Forget what the group committed there; with its last partition its journal goes, too. Durable."""

    def decide(known: Standing) -> list[Record]:
        latest = known.latest(group)
        records = [offset_record(group, source, None) for source in sources if source in latest]
        if set(latest) <= set(sources):
            records += [move_record(group, generation, None) for generation in known.moves(group)]
        return records

    log.change_group(group, decide)


def _entry(group: str, generation: int, value: dict[str, Any]) -> Entry:
    try:
        moves = tuple(Move(group=group, **one) for one in value["moves"])
        return Entry(group, generation, **{**value, "moves": moves})
    except (KeyError, TypeError) as error:
        raise GroupUnreadable(group, (), f"its move of generation {generation}") from error


def _without_group(one: Move) -> dict[str, Any]:
    return {name: value for name, value in asdict(one).items() if name != "group"}


def who() -> str:
    """User, host and process that do this, for the record."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a uid without a name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}, process {os.getpid()}"
