"""What all replicas of a partition must agree on."""

from __future__ import annotations

from pathlib import Path

from conf.settings import LogSettings
from log import TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.names import segment_bases, segment_file

SOURCE = TopicPartition("mails", 0)


def isr(log: EmbeddedLog) -> list[str]:
    """The names of the folders of `mails-0` in sync."""
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def values(log: EmbeddedLog) -> list[bytes | None]:
    """All values that `mails-0` has. Raises as `CommitLog.read`."""
    found: list[bytes | None] = []
    while len(found) < log.span(SOURCE).stop:
        found += [record.value for record in log.read(SOURCE, len(found), 2**30)]
    return found


def check_copies_are_equal(options: LogSettings) -> None:
    """The replicas of `mails-0` have the same segments and epochs, byte by byte."""
    first, *others = [folder / "mails-0" for folder in options.replicas]
    bases = segment_bases(first)
    for folder in others:
        assert segment_bases(folder) == bases
        for base in bases:
            assert segment_file(folder, base).read_bytes() == segment_file(first, base).read_bytes()
        assert (folder / "leader-epoch-checkpoint").read_text() == (first / "leader-epoch-checkpoint").read_text()
