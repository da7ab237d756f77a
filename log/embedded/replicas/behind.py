"""Do the replicas go on where they end by what the root says? Asked cheaply, and without holding anything.

So it is where an appender died; and where the root was put back from an older copy, or another root wrote, though this
machine has not started since: then the watermark passes for the last appender's. Who appends finds out for itself.
"""

from __future__ import annotations

import os
from fcntl import LOCK_SH
from typing import TYPE_CHECKING

from log.disk.lock import flocked
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment.names import segment_file

if TYPE_CHECKING:
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.replicas.state import PartitionState
    from log.embedded.replicas.watermark import Watermark
    from log.types import TopicPartition


def is_behind(home: Home, source: TopicPartition, mark: Watermark, state: PartitionState) -> bool:
    """Whether a copy in sync has more than the watermark says, or the state is a later one, and nobody is appending."""
    folders = [home.partition_folder(source, number) for number in state.isr]

    def has_more() -> bool:
        is_later = state.version != mark.state_version and mark.changes % 2 == 0
        return is_later or any(_goes_on(folder, mark) for folder in folders)

    if not has_more() or not _is_free(home.lock_file(source)):
        return False
    return read_watermark(home.watermark_file(source)) == mark and has_more()  # it was no append that has ended since


def _goes_on(folder: Path, mark: Watermark) -> bool:
    try:
        size = segment_file(folder, mark.segment_base).stat().st_size
        return size > mark.position or (mark.end > mark.segment_base and segment_file(folder, mark.end).exists())
    except FileNotFoundError:
        return folder.is_dir()  # it began a later segment, and deleted this one
    except OSError:
        return False


def _is_free(lock: Path) -> bool:
    """Whether nobody holds the partition."""
    try:
        fd = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        return flocked(fd, LOCK_SH)
    finally:
        os.close(fd)
