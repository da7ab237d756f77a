"""Faults 53, 54 and 56: the log is down, or says no after it has said yes; with a clock that makes an hour short."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings
from ingest.folders import inbox
from ingest.watch import Watcher
from log import CommitLog, TopicPartition
from log.embedded import EmbeddedLog
from tests.ingest.faults.conftest import Desk, desk_in

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]

SENDERS = 7
TRIES = 120  # that an hour has, at 30 s each
SHORT_S = 0.02  # what these 30 s are here


@contextmanager
def running(desk: Desk, log: CommitLog) -> Iterator[None]:
    """A watcher in a thread."""
    ingest = replace(desk.settings.ingest, rescan_s=SHORT_S, batch_mails=20)
    watcher = Watcher(log, replace(desk.settings, ingest=ingest), lambda _: None)
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        yield
    finally:
        watcher.stop()
        thread.join(60)
        assert not thread.is_alive()


@pytest.fixture(autouse=True)
def short_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "FIRST_DELAY_S", SHORT_S)
    monkeypatch.setattr(inbox, "LAST_DELAY_S", SHORT_S)


def deliver(desk: Desk, a_mail: AMail, numbers: range) -> None:
    for number in numbers:
        desk.deliver(f"{number}", a_mail(number, f"d{number % SENDERS}@x.example", size=20_000), time_s=number)


def check_order(desk: Desk) -> None:
    """Each sender's mails are in the log in the order in which they came."""
    order: dict[bytes | None, list[int]] = {}
    with closing(EmbeddedLog(desk.settings.log)) as log:
        for record in desk.records(log):
            found = re.search(rb"run (\d+)", record.value or b"")
            assert found is not None
            order.setdefault(record.key, []).append(int(found[1]))
    assert len(order) == SENDERS
    assert all(numbers == sorted(numbers) for numbers in order.values())


def resident() -> int:
    """KiB of memory that this process has."""
    said = Path("/proc/self/status").read_text("ascii")
    return int(said.partition("VmRSS:")[2].split()[0])


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def failures(caplog: pytest.LogCaptureFixture) -> int:
    return sum("the files stay" in record.message for record in caplog.records)


def fill(file: Path) -> None:
    """Until the disk has no space left."""
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(4096))


def quick_lock(settings: Settings) -> Settings:
    return replace(settings, log=replace(settings.log, lock_timeout_s=0.001))


def test_while_the_log_is_held_for_an_hour_files_stay_and_memory_does_not_grow(
    desk: Desk, a_mail: AMail, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(EmbeddedLog(quick_lock(desk.settings).log)) as log, running(desk, log):
        deliver(desk, a_mail, range(40))
        until(lambda: desk.is_empty)
        with closing(EmbeddedLog(desk.settings.log)) as other, ExitStack() as held:
            for number in range(4):
                held.enter_context(other.exclusive(TopicPartition("mails", number)))
            deliver(desk, a_mail, range(40, 80))
            until(lambda: failures(caplog) > 10)
            before = resident()
            deliver(desk, a_mail, range(80, 400))
            until(lambda: failures(caplog) > TRIES)
            assert len(list(desk.new.iterdir())) == 360
            assert resident() - before < 30 * 1024, "KiB; the mails alone have 7 MB, again and again"
        until(lambda: desk.is_empty)
    desk.check_taken()
    check_order(desk)


@pytest.mark.usefixtures("needs_root")
def test_while_the_disks_are_full_files_stay_and_go_when_there_is_space(
    settings: Settings, tmp_path: Path, a_mail: AMail, caplog: pytest.LogCaptureFixture
) -> None:
    disks = tmp_path / "disks"
    disks.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", disks], check=True)
    try:
        log = replace(settings.log, replicas=tuple(disks / f"{number}" for number in range(3)))
        desk = desk_in(tmp_path, replace(settings, log=log))
        with closing(EmbeddedLog(log)) as opened, running(desk, opened):
            deliver(desk, a_mail, range(40))
            until(lambda: desk.is_empty)
            fill(disks / "filler")
            deliver(desk, a_mail, range(40, 200))
            until(lambda: failures(caplog) > TRIES)
            desk.check()
            (disks / "filler").unlink()
            until(lambda: desk.is_empty)
        desk.check_taken()
        check_order(desk)
    finally:
        subprocess.run(["umount", disks], check=True)


def test_while_too_few_replicas_are_there_files_stay(
    desk: Desk, a_mail: AMail, caplog: pytest.LogCaptureFixture
) -> None:
    deliver(desk, a_mail, range(20))
    with closing(EmbeddedLog(desk.settings.log)) as log, running(desk, log):
        until(lambda: desk.is_empty)
    aside = [replica.rename(replica.with_name(replica.name + ".gone")) for replica in desk.settings.log.replicas[1:]]
    with closing(EmbeddedLog(desk.settings.log)) as log, running(desk, log):
        deliver(desk, a_mail, range(20, 60))
        until(lambda: failures(caplog) > TRIES)
        assert len(list(desk.new.iterdir())) == 40
    for replica, gone in zip(desk.settings.log.replicas[1:], aside, strict=True):
        gone.rename(replica)
    desk.check()


def test_an_append_whose_answer_is_lost_is_not_done_twice(desk: Desk, a_mail: AMail) -> None:
    """The ledger is what knows; a disk error in it comes after the log has said yes."""
    deliver(desk, a_mail, range(7))
    with closing(EmbeddedLog(desk.settings.log)) as log:
        Watcher(log, desk.settings, lambda _: None).run_once()
        deliver(desk, a_mail, range(7, 21))
        with closing(sqlite3.connect(desk.settings.ingest.ledger)) as ledger:
            ledger.executescript(
                "CREATE TRIGGER no BEFORE INSERT ON mails BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END;"
            )
            with pytest.raises(Exception, match="disk I/O error"):
                Watcher(log, desk.settings, lambda _: None).run_once()
            assert len(desk.in_log()) > 7, "the log has said yes"
        desk.check()
        Watcher(log, desk.settings, lambda _: None).run_once()
    desk.check_taken()
