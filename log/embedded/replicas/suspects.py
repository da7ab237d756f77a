"""Segments that somebody could not read whole: notes for those who may write.

<root>/state/<topic>-<partition>/
    <20 digits>.suspect    a copy of the segment with that base offset was not intact when it was read; whoever appends
                           or tends next looks at all copies
    <20 digits>.lost       a document: what of it no copy has whole. Looking again because it was read is in vain

A suspicion is an empty file, made without a lock: it changes no record, and one that is lost, or wrong, costs a look.
Where none can be made (a read-only copy of a log) the reader goes on. What is lost is written under the partition's
lock, and stays until a copy has it again or it is deleted: so long `otclog status` fails.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NamedTuple

from log.disk.documents import read_document, write_document
from log.disk.files import FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from log.embedded.home import Home
    from log.types import TopicPartition

SUSPECT, LOST = ".suspect", ".lost"


class LostBatch(NamedTuple):
    """Offsets of a segment that no copy has whole, and where in each copy they were."""

    position: int
    start: int
    stop: int


def suspect(home: Home, source: TopicPartition, base: int) -> None:
    """Note that a copy of the segment is damaged, unless it is known that no copy has all of it. Never raises."""
    with contextlib.suppress(OSError):
        if not _note(home, source, base, LOST).exists():
            _make(_note(home, source, base, SUSPECT))


def suspects(home: Home, source: TopicPartition) -> list[int]:
    """The base offsets of segments that are to be looked at, ascending. Raises OSError."""
    return sorted(_bases(home, source, SUSPECT))


def lost_segments(home: Home, source: TopicPartition) -> list[int]:
    """The base offsets of segments that no copy has all of, ascending. Raises OSError."""
    return sorted(_bases(home, source, LOST))


def lost_batches(home: Home, source: TopicPartition, base: int) -> list[LostBatch]:
    """What of a segment is known to be lost; [] also where the note, an earlier version's, does not say."""
    document = read_document(_note(home, source, base, LOST))
    return [LostBatch(*each) for each in document["lost"]] if document else []


def remember(home: Home, source: TopicPartition, base: int, lost: Sequence[LostBatch]) -> None:
    """The segment was looked at, and no copy has these whole; durable when this returns. Held. Raises OSError."""
    if lost:
        write_document(_note(home, source, base, LOST), {"lost": [list(each) for each in lost]})
    else:
        _note(home, source, base, LOST).unlink(missing_ok=True)


def clear(home: Home, source: TopicPartition, base: int) -> None:
    """The segment is no longer suspected. Raises OSError."""
    _note(home, source, base, SUSPECT).unlink(missing_ok=True)


def changed_at(home: Home, source: TopicPartition) -> int:
    """Another number when a note may have been made or removed. Raises OSError."""
    return os.stat(_folder(home, source)).st_mtime_ns  # noqa: PTH116  with each append: a Path costs more than the call


def _folder(home: Home, source: TopicPartition) -> Path:
    return home.state_file(source).parent


def _note(home: Home, source: TopicPartition, base: int, suffix: str) -> Path:
    return _folder(home, source) / f"{base:020d}{suffix}"


def _make(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))


def _bases(home: Home, source: TopicPartition, suffix: str) -> list[int]:
    return [int(path.stem) for path in _folder(home, source).glob(f"*{suffix}") if path.stem.isdecimal()]
