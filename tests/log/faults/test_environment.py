"""Full tables and odd surroundings: inodes, open files, locale, time zone, home."""

from __future__ import annotations

import dataclasses
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log import DiskFull, Record, TopicPartition
from log.embedded import EmbeddedLog

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


@pytest.fixture
def few_inodes(needs: Callable[..., None], tmp_path: Path) -> Iterator[Path]:
    """A file system of 40 files."""
    needs("mount", "umount", root=True)
    folder = tmp_path / "few"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "nr_inodes=40,mode=700", "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_without_inodes_an_append_is_refused_and_reads_go_on(
    few_inodes: Path, open_embedded: OpenLog, numbered: Callable[..., list[Record]]
) -> None:
    log = open_embedded(replicas=(few_inodes / "disk",), min_insync=1, segment_bytes=2000, compression="none")
    log.create_topic("mails", 1)
    for appended in range(40):
        try:
            log.append("mails", numbered(1, appended, size=1500))
        except DiskFull as error:
            said = str(error)
            break
    assert "inodes" in said
    assert len(log.read(SOURCE, 0, 2**20)) == appended > 2
    with pytest.raises(DiskFull):
        log.append("mails", numbered(1, appended, size=1500))
    assert [record.value for record in log.read(SOURCE, 0, 2**20)] == [
        record.value for record in numbered(appended, size=1500)
    ]


def test_appends_reads_and_commits_leave_no_file_open(open_embedded: OpenLog) -> None:
    log = open_embedded(segment_bytes=3000)
    log.create_topic("mails", 1)

    def work(times: int) -> int:
        for _ in range(times):
            positions = log.append("mails", [Record(b"key", os.urandom(700))])
            log.read(SOURCE, positions[0].offset, 2**20)
            log.commit("group", {SOURCE: positions[0].offset})
        return len(list(Path("/proc/self/fd").iterdir()))

    first = work(20)
    assert work(60) <= first


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"LC_ALL": "C", "LANG": "C"}, id="locale C"),
        pytest.param({"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, id="Turkish"),
        pytest.param({"TZ": "Pacific/Apia"}, id="another time zone"),
        pytest.param({"HOME": "/nonexistent"}, id="no home"),
    ],
)
def test_the_surroundings_of_a_process_change_nothing(
    embedded: EmbeddedLog,
    options: LogSettings,
    start_appender: Callable[..., Any],
    history: Any,
    changes: dict[str, str],
) -> None:
    """What it writes is read here, with times that lie where they should."""
    under = ("env", *(f"{name}={value}" for name, value in changes.items()))
    embedded.append("mails", [Record(b"key", b"before")])
    assert start_appender(dataclasses.replace(options), "INFO-Ii", 6, under=under).end(history) == 0
    embedded.append("mails", [Record(b"key", b"behind")])
    stored = embedded.read(SOURCE, 0, 2**20)
    assert {record.offset: record.value for record in stored[1:7]} == history.acknowledged
    times = [record.timestamp_ms for record in stored]
    assert times == sorted(times)
