"""Faults 52, 80 and 82: several watchers on one folder, watchers that die, and watchers that are asked to end."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from log.embedded import EmbeddedLog
from tests.ingest.faults.conftest import Desk, StartWatch
from tests.partitions import partition_for

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]

SENDERS = 5
STOP_S = 30  # within which a watcher that is asked to end has ended


def deliver(desk: Desk, a_mail: AMail, numbers: range) -> None:
    """Mails of several senders, each later than the one before."""
    for number in numbers:
        desk.deliver(f"{number}", a_mail(number, f"d{number % SENDERS}@x.example"), time_s=number)


def until_empty(desk: Desk, *watchers: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 120
    while not desk.is_empty:
        assert time.monotonic() < end, "mails are left"
        assert all(watcher.poll() is None for watcher in watchers)
        time.sleep(0.02)


def until_some_are_gone(desk: Desk, count: int) -> None:
    end = time.monotonic() + 60
    while len(list(desk.new.iterdir())) > count - 10:
        assert time.monotonic() < end, "no watcher began"
        time.sleep(0.002)


def open_files(watcher: subprocess.Popen[str]) -> str:
    """What its descriptors stand for."""
    names = []
    for file in Path(f"/proc/{watcher.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            names.append(str(file.readlink()))
    return " ".join(names)


def until_it_has_open(watcher: subprocess.Popen[str], name: str) -> None:
    end = time.monotonic() + 60
    while name not in open_files(watcher):
        assert time.monotonic() < end, f"it does not open {name}"
        time.sleep(0.01)


def until_it_watches(watcher: subprocess.Popen[str]) -> None:
    until_it_has_open(watcher, "inotify")


def until_it_has_a_share(desk: Desk) -> None:
    end = time.monotonic() + 60
    while not any(b'"names": ["' in path.read_bytes() for path in desk.home.glob("ledger.sqlite.watchers/*")):
        assert time.monotonic() < end, "no watcher began"
        time.sleep(0.01)


def until_it_has_heard(watcher: subprocess.Popen[str], number: signal.Signals) -> None:
    """Its handler was there and has put itself off."""
    end = time.monotonic() + 60
    while True:
        said = Path(f"/proc/{watcher.pid}/status").read_text("ascii")
        if not int(said.partition("SigCgt:")[2].split()[0], 16) & 1 << (number - 1):
            return
        assert time.monotonic() < end, "it did not hear"
        time.sleep(0.01)


def end(watcher: subprocess.Popen[str]) -> list[dict[str, int]]:
    """Ask it to end; the lines that it printed."""
    watcher.send_signal(signal.SIGTERM)
    out, _ = watcher.communicate(timeout=STOP_S)
    assert watcher.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


def order_in_log(desk: Desk) -> dict[bytes | None, list[int]]:
    """Numbers of the mails of each sender, as the log has them."""
    order: dict[bytes | None, list[int]] = {}
    with closing(EmbeddedLog(desk.settings.log)) as log:
        for record in desk.records(log):
            found = re.search(rb"run (\d+)", record.value or b"")
            assert found is not None
            order.setdefault(record.key, []).append(int(found[1]))
    return order


def test_two_watchers_share_a_folder_and_keep_its_order(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    both = [start(desk, "--json"), start(desk, "--json")]
    for watcher in both:
        until_it_watches(watcher)
    for numbers in (range(400), range(400, 600)):
        deliver(desk, a_mail, numbers)
        until_empty(desk, *both)
    lines = [end(watcher) for watcher in both]
    mails = [sum(line["mails"] for line in said) for said in lines]
    assert sum(mails) == 600, "no file was taken by both"
    assert all(mails), "each had its share"
    desk.check_taken()
    assert all(numbers == sorted(numbers) for numbers in order_in_log(desk).values())


def test_a_watcher_takes_over_from_one_that_is_killed(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    dies, lives = start(desk), start(desk, "--json")
    for watcher in (dies, lives):
        until_it_watches(watcher)
    deliver(desk, a_mail, range(600))
    until_some_are_gone(desk, 600)
    dies.kill()
    dies.wait()
    until_empty(desk, lives)
    assert end(lives)
    desk.check_taken()
    assert all(numbers == sorted(numbers) for numbers in order_in_log(desk).values())


@pytest.mark.parametrize(
    "loops", [pytest.param(6, id="6 kills"), pytest.param(30, id="30 kills", marks=pytest.mark.soak)]
)
@pytest.mark.timeout(900)
def test_whoever_is_killed_whenever_nothing_is_lost_doubled_or_out_of_order(
    desk: Desk, start: StartWatch, a_mail: AMail, loops: int, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(20261118)
    watchers = [start(desk), start(desk)]
    for loop in range(loops):
        deliver(desk, a_mail, range(loop * 100, loop * 100 + 100))
        time.sleep(chance.uniform(0, 0.5))
        victim = watchers.pop(chance.randrange(2))
        victim.kill()
        victim.communicate()
        watchers.append(start(desk))
    until_empty(desk)
    for watcher in watchers:
        watcher.terminate()
        watcher.communicate(timeout=STOP_S)
    desk.check_taken()
    record_property("count", f"watch, one of two killed: {loops} kills, {loops * 100:,} mails, 0 lost or doubled")


def test_a_dead_watchers_share_is_free_though_its_process_id_lives_on(
    desk: Desk, start: StartWatch, a_mail: AMail
) -> None:
    deliver(desk, a_mail, range(3))
    left = desk.home / "ledger.sqlite.watchers" / "dead"
    left.parent.mkdir()
    said = {"pid": os.getpid(), "number": 1, "folder": str(desk.new), "names": ["0", "1"]}
    left.write_text(json.dumps(said))
    assert start(desk, "--once").wait(60) == 0
    desk.check_taken()
    assert not left.exists()


def test_a_watcher_that_is_stopped_for_a_while_does_no_harm(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    stopped, goes_on = start(desk), start(desk)
    for watcher in (stopped, goes_on):
        until_it_watches(watcher)
    deliver(desk, a_mail, range(300))
    until_some_are_gone(desk, 300)
    stopped.send_signal(signal.SIGSTOP)
    time.sleep(1)
    stopped.send_signal(signal.SIGCONT)
    until_empty(desk, stopped, goes_on)
    for watcher in (stopped, goes_on):
        watcher.terminate()
        _, said = watcher.communicate(timeout=STOP_S)
        assert watcher.returncode == 0
        assert all(line.startswith("watching") for line in said.splitlines()), said  # and no error
    desk.check_taken()
    assert all(numbers == sorted(numbers) for numbers in order_in_log(desk).values())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_at_any_moment_it_finishes_the_batch_in_hand(
    desk: Desk, start: StartWatch, a_mail: AMail, number: signal.Signals
) -> None:
    chance = random.Random(number)
    for loop in range(4):
        deliver(desk, a_mail, range(loop * 200, loop * 200 + 200))
        watcher = start(desk)
        until_some_are_gone(desk, len(list(desk.new.iterdir())))
        time.sleep(chance.uniform(0, 0.05))
        watcher.send_signal(number)
        watcher.communicate(timeout=STOP_S)
        assert watcher.returncode == 0
        assert desk.in_log() + Counter(desk.on_disk()) == Counter(desk.delivered), "nothing is in both"


def test_asked_to_end_while_the_log_is_busy_it_does_not_wait_for_it(
    desk: Desk, start: StartWatch, a_mail: AMail
) -> None:
    deliver(desk, a_mail, range(1))
    assert start(desk, "--once").wait(60) == 0
    deliver(desk, a_mail, range(1, 20))
    with closing(EmbeddedLog(desk.settings.log)) as log:
        held = [log.exclusive(partition_for(log, "mails", b"d%d@x.example" % sender)) for sender in range(SENDERS)]
        for each in held:
            each.__enter__()
        watcher = start(desk, env={"OTCLOG_LOG_LOCK_TIMEOUT_S": "5"})
        until_it_has_a_share(desk)
        watcher.terminate()
        watcher.communicate(timeout=STOP_S)
        assert watcher.returncode == 0
        for each in reversed(held):
            each.__exit__(None, None, None)
    desk.check()


def test_a_second_signal_ends_it_at_once_and_nothing_is_lost(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    deliver(desk, a_mail, range(1))
    assert start(desk, "--once").wait(60) == 0
    deliver(desk, a_mail, range(1, 20))
    with closing(EmbeddedLog(desk.settings.log)) as log:
        held = partition_for(log, "mails", b"d1@x.example")
        with log.exclusive(held):
            watcher = start(desk, env={"OTCLOG_LOG_LOCK_TIMEOUT_S": "600"})
            until_it_has_open(watcher, f"state/{held}/lock")
            watcher.terminate()
            until_it_has_heard(watcher, signal.SIGTERM)
            assert watcher.poll() is None, "it waits for the lock"
            watcher.terminate()
            watcher.communicate(timeout=STOP_S)
            assert watcher.returncode == -signal.SIGTERM
    desk.check()
    assert start(desk, "--once").wait(60) == 0
    desk.check_taken()
