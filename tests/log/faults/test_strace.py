"""Faults put in between the appender and the kernel, by strace."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog

pytestmark = pytest.mark.slow

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Inject = Callable[..., Any]
BEFORE, INJECTED = 5, 30  # records


@pytest.fixture
def inject(
    needs: Callable[..., None],
    options: LogSettings,
    settings_on: Callable[..., LogSettings],
    start_appender: Callable[..., Any],
    tmp_path: Path,
) -> Iterator[Inject]:
    """Run an appender of ten times three records with faults injected into calls on some disks; the settings.

    Some records are acknowledged before. strace counts the calls of each thread, and which thread flushes which disk is
    chance: so of a flush only the first (`when=1`) or each can be meant.
    """
    needs("strace")
    home = tmp_path / "home"
    home.mkdir()
    settings = settings_on(home, options)
    log = EmbeddedLog(settings)
    log.create_topic("mails", 1)

    def run(history: Any, calls: str, fault: str, *disks: int, files: str = "mails-0/00000000000000000000.log") -> Any:
        for number in range(BEFORE):
            value = b"before %d" % number
            history.tried.add(value)
            history.acknowledged[log.append("mails", [Record(b"key", value)])[0].offset] = value
        log.close()
        paths = [word for disk in disks for word in ("-P", str(home / f"disk-{disk}" / files))]
        trace = ("strace", "-f", "-qq", "--seccomp-bpf", "-o", str(tmp_path / "trace"), "-e", "signal=none")
        appender = start_appender(
            settings,
            "injected",
            INJECTED,
            under=(*trace, "-e", f"trace={calls}", *paths, "-e", f"inject={calls}:{fault}"),
            more=("--go-on",),
        )
        assert appender.end(history) == 0
        assert "INJECTED" in (tmp_path / "trace").read_text(errors="replace") or "delay" in fault
        return settings

    yield run
    shutil.rmtree(home)


def in_sync(log: EmbeddedLog) -> list[int]:
    return [int(Path(folder).name[-1]) for folder in log.describe("mails")[0].isr]


@pytest.mark.parametrize(
    ("calls", "fault"),
    [
        pytest.param("fsync", "error=EIO:when=1", id="EIO on one fsync"),
        pytest.param("fsync", "error=EIO", id="EIO on each fsync"),
        pytest.param("pwrite64", "error=EIO:when=3", id="EIO on a write"),
        pytest.param("pwrite64", "error=ENOSPC:when=3", id="ENOSPC on a write"),
        pytest.param("pwrite64", "error=EROFS:when=3+", id="EROFS from a write on"),
        pytest.param("openat", "error=EROFS", id="EROFS on open"),
    ],
)
@pytest.mark.parametrize("disk", [1, 3])
def test_an_error_of_one_disk_costs_that_replica_alone(
    inject: Inject, history: Any, calls: str, fault: str, disk: int
) -> None:
    settings = inject(history, calls, fault, disk)
    log = EmbeddedLog(settings)
    assert in_sync(log) == [number for number in (1, 2, 3) if number != disk]
    assert len(history.acknowledged) == BEFORE + INJECTED
    history.check(log)
    log.close()


@pytest.mark.parametrize(
    ("calls", "fault", "said"),
    [
        pytest.param("fsync", "error=EIO", "NotEnoughReplicas", id="EIO on fsync"),
        pytest.param("pwrite64", "error=EIO:when=3..4", "NotEnoughReplicas", id="EIO on a write"),
        pytest.param("pwrite64", "error=ENOSPC:when=3..4", "DiskFull", id="ENOSPC on a write"),
    ],
)
def test_an_error_of_two_disks_at_once_is_said_and_nothing_acknowledged_is_lost(
    inject: Inject, history: Any, calls: str, fault: str, said: str
) -> None:
    settings = inject(history, calls, fault, 2, 3)
    assert history.failed
    assert any(reason.startswith(said) for reason in history.failed)
    log = EmbeddedLog(settings)
    history.check(log)
    log.close()


def test_a_slow_disk_is_waited_for_and_nothing_is_acknowledged_before(inject: Inject, history: Any) -> None:
    """Within the replica's time: 50 ms a flush on each of three disks, and all stay in sync."""
    settings = inject(history, "fsync", "delay_enter=50000", 1, 2, 3)
    log = EmbeddedLog(settings)
    assert in_sync(log) == [1, 2, 3]
    assert (len(history.acknowledged), history.failed) == (BEFORE + INJECTED, [])
    history.check(log)
    log.close()


def test_a_disk_that_lies_is_found_out_by_the_others_after_a_power_cut(
    inject: Inject, history: Any, reboot: Callable[[], None]
) -> None:
    """Its fsync says yes and does nothing, so the power cut takes what it had; the others have it."""
    settings = inject(history, "fsync", "retval=0", 1)
    segment = settings.replicas[0] / "mails-0" / f"{0:020d}.log"
    os.truncate(segment, 100)
    for later in sorted(segment.parent.glob("*.log"))[1:]:
        later.unlink()
    reboot()
    log = EmbeddedLog(settings)
    history.check(log)
    assert len(history.acknowledged) == BEFORE + INJECTED
    log.close()


def test_a_kill_at_a_given_flush_loses_nothing(
    needs: Callable[..., None],
    options: LogSettings,
    start_appender: Callable[..., Any],
    history: Any,
    open_embedded: OpenLog,
) -> None:
    needs("strace")
    log = open_embedded()
    log.create_topic("mails", 1)
    log.close()
    for number in range(1, 6):
        under = (
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "signal=none",
            "-e",
            "trace=fsync",
            "-e",
            f"inject=fsync:signal=KILL:when={number}",
        )
        assert start_appender(options, f"killed-{number}", under=under).end(history) != 0
        log = open_embedded()
        history.check(log)
        log.close()
