from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from log import DiskFull, PartitionBusy, Record, TopicPartition
from log.embedded import EmbeddedLog

OpenLog = Callable[..., EmbeddedLog]


def test_an_append_over_several_partitions_is_all_or_nothing(
    open_embedded: OpenLog,
) -> None:
    log = open_embedded()
    log.create_topic("mails", 4)
    records = [Record(b"%d" % number, b"value") for number in range(40)]
    log.append("mails", records)
    ends = [log.span(TopicPartition("mails", number)).stop for number in range(4)]
    assert all(ends)
    other = open_embedded(lock_timeout_s=0.1)
    with log.exclusive(TopicPartition("mails", 2)), pytest.raises(PartitionBusy, match="mails-2"):
        other.append("mails", records)
    assert [log.span(TopicPartition("mails", number)).stop for number in range(4)] == ends


def test_where_one_partition_cannot_take_its_share_none_has_taken_any(
    open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded()
    log.create_topic("mails", 4)
    records = [Record(b"%d" % number, b"value") for number in range(40)]
    real = os.pwrite

    def full_for_the_third(fd: int, *given: Any) -> int:
        if "/mails-2/" in str(Path(f"/proc/self/fd/{fd}").readlink()):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, *given)

    monkeypatch.setattr(os, "pwrite", full_for_the_third)
    with pytest.raises(DiskFull, match="mails-2"):
        log.append("mails", records)
    monkeypatch.setattr(os, "pwrite", real)
    assert [log.describe("mails")[number].end for number in range(4)] == [0] * 4
    assert len(log.append("mails", records)) == 40
