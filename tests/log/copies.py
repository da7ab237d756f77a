"""What all replicas of a partition must agree on."""

from __future__ import annotations

from conf.settings import LogSettings
from log.embedded.segment.names import segment_bases, segment_file


def check_copies_are_equal(options: LogSettings) -> None:
    """The replicas of `mails-0` have the same segments and epochs, byte by byte."""
    first, *others = [folder / "mails-0" for folder in options.replicas]
    bases = segment_bases(first)
    for folder in others:
        assert segment_bases(folder) == bases
        for base in bases:
            assert segment_file(folder, base).read_bytes() == segment_file(first, base).read_bytes()
        assert (folder / "leader-epoch-checkpoint").read_text() == (first / "leader-epoch-checkpoint").read_text()
