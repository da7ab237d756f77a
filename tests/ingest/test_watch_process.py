"""The watcher as a process of its own: killed, doubled, and asked to end."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from conf import Settings
from log import CommitLog, StoredRecord, open_log

MAILS = 120  # dropped before each loop

Stored = Callable[[CommitLog, str], list[StoredRecord]]
AMail = Callable[..., bytes]
StartWatcher = Callable[..., "subprocess.Popen[str]"]


def deliver(folder: Path, raws: list[bytes]) -> None:
    """As a delivery agent does: written in tmp, renamed to new."""
    (folder.parent / "tmp").mkdir(exist_ok=True)
    for raw in raws:
        draft = folder.parent / "tmp" / f"{abs(hash(raw)):x}"
        draft.write_bytes(raw)
        draft.rename(folder / draft.name)


def until_it_works(folder: Path, count: int) -> None:
    end = time.monotonic() + 60
    while len(list(folder.iterdir())) == count:
        assert time.monotonic() < end, "the watcher did not begin"
        time.sleep(0.001)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_killed_at_any_moment_it_loses_no_mail_and_doubles_none(  # noqa: PLR0917  fixtures
    settings: Settings,
    folder: Path,
    a_mail: AMail,
    stored: Stored,
    start_watcher: StartWatcher,
    kills: int,
    record_property: Callable[[str, object], None],
) -> None:
    chance = random.Random(20261118)
    dropped: set[bytes] = set()
    left = []
    for loop in range(kills):
        fresh = [a_mail(loop * MAILS + number, f"d{number % 9}@x.example", size=500) for number in range(MAILS)]
        deliver(folder, fresh)
        dropped |= set(fresh)
        process = start_watcher()
        until_it_works(folder, len(list(folder.iterdir())))
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        assert process.wait(60) == -signal.SIGKILL
        on_disk = {path.read_bytes() for path in folder.iterdir()}
        left.append(len(on_disk))
        with closing(open_log(settings.log)) as log:
            times = Counter(record.value for record in stored(log, "mails"))
        assert max(times.values()) == 1
        assert {value for value in times if value is not None} | on_disk == dropped
    record_property("count", f"watch, kill -9: {kills} kills, with {left} files left on disk, 0 lost or doubled")
    assert any(left), "at least one kill must have come before the end of the work"
    assert start_watcher("--once").wait(120) == 0
    assert list(folder.iterdir()) == []
    with closing(open_log(settings.log)) as log:
        assert Counter(record.value for record in stored(log, "mails")) == Counter(dropped)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "number"),
    [
        pytest.param("pwrite64", 1, id="first write of records"),
        pytest.param("pwrite64", 4, id="fourth write of records"),
        pytest.param("fsync", 2, id="a thread's second fsync"),
        pytest.param("unlinkat", 1, id="first file to go"),
    ],
)
def test_killed_at_this_system_call_it_loses_no_mail_and_doubles_none(  # noqa: PLR0917 -- fixtures
    settings: Settings, folder: Path, a_mail: AMail, stored: Stored, start_watcher: StartWatcher, call: str, number: int
) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("needs strace, which kills at a chosen system call")
    deliver(folder, [a_mail(0)])
    assert start_watcher("--once").wait(60) == 0
    raws = [a_mail(n, f"d{n % 9}@x.example") for n in range(1, 31)]
    deliver(folder, raws)
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
    killed = start_watcher("--once", under=[strace, "-qq", "-f", "-o", os.devnull, *inject])
    assert killed.wait(120) == -signal.SIGKILL
    with closing(open_log(settings.log)) as log:
        times = Counter(record.value for record in stored(log, "mails"))
    assert max(times.values()) == 1
    assert set(times) | {path.read_bytes() for path in folder.iterdir()} == {*raws, a_mail(0)}
    assert start_watcher("--once").wait(60) == 0
    assert list(folder.iterdir()) == []
    with closing(open_log(settings.log)) as log:
        assert Counter(record.value for record in stored(log, "mails")) == Counter([*raws, a_mail(0)])


def test_two_watchers_on_one_folder_make_one_record_of_each_mail(
    settings: Settings, folder: Path, a_mail: AMail, stored: Stored, start_watcher: StartWatcher
) -> None:
    raws = [a_mail(number, f"d{number % 9}@x.example") for number in range(300)]
    open_log(settings.log).close()
    deliver(folder, raws)
    both = [start_watcher("--once"), start_watcher("--once")]
    assert [process.wait(120) for process in both] == [0, 0]
    assert list(folder.iterdir()) == []
    with closing(open_log(settings.log)) as log:
        assert Counter(record.value for record in stored(log, "mails")) == Counter(raws)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(  # noqa: PLR0917 -- fixtures
    settings: Settings, folder: Path, a_mail: AMail, stored: Stored, start_watcher: StartWatcher, number: signal.Signals
) -> None:
    raws = [a_mail(n, f"d{n % 9}@x.example") for n in range(400)]
    deliver(folder, raws)
    process = start_watcher("--json")
    until_it_works(folder, len(raws))
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    on_disk = Counter(path.read_bytes() for path in folder.iterdir())
    with closing(open_log(settings.log)) as log:
        in_log = Counter(record.value for record in stored(log, "mails"))
    assert in_log + on_disk == Counter(raws), "the batch in hand was finished: nothing is in both"
    assert len(output.splitlines()) == in_log.total() / 10, "one line a batch of ten"


def test_a_folder_of_messages_that_vanishes_ends_no_watcher(
    tmp_path: Path, folder: Path, a_mail: AMail, start_watcher: StartWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    monkeypatch.setenv("OTCLOG_LOGGING_FILE", str(tmp_path / "logs" / "m.log"))
    monkeypatch.setenv("OTCLOG_LOGGING_LEVEL", "info")
    process = start_watcher()
    for number in range(3):
        deliver(folder, [a_mail(number)])
        until_it_works(folder, 1)
        if number == 0:
            (tmp_path / "logs").rename(tmp_path / "away")
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert (tmp_path / "away" / "m.log").read_text().count("published at") == 1
