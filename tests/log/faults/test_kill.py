"""Appenders that die by kill -9, and are stopped, at any moment."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conf.settings import LogSettings
from log import PartitionBusy, Record, TopicPartition
from log.embedded import EmbeddedLog
from tests.log.copies import check_copies_are_equal

SOURCE = TopicPartition("mails", 0)
Start = Callable[..., Any]
OpenLog = Callable[..., EmbeddedLog]


@pytest.mark.parametrize(
    "rounds",
    [
        pytest.param(8, id="8 rounds"),
        pytest.param(25, id="25 rounds", marks=pytest.mark.slow),
        pytest.param(1000, id="1000 rounds", marks=pytest.mark.soak),
    ],
)
@pytest.mark.timeout(3600)
def test_nothing_acknowledged_is_lost_by_kill_9(  # noqa: PLR0917  fixtures
    open_embedded: OpenLog,
    options: LogSettings,
    settings_on: Callable[..., LogSettings],
    start_appender: Start,
    history: Any,
    moments: random.Random,
    record_property: Callable[[str, object], None],
    rounds: int,
) -> None:
    """One log through all rounds; in each, one of two appenders is killed while the other goes on, then that one."""
    options = settings_on(options.root.parent / "home", options, segment_bytes=20_000)
    options.root.parent.mkdir()
    changes = {name: getattr(options, name) for name in ("root", "replicas", "segment_bytes", "compression")}
    log = open_embedded(**changes)
    log.create_topic("mails", 1)
    process, check_every = start_appender(options, "round-0"), max(4, rounds // 50)  # each check reads the whole log
    for number in range(1, rounds + 1):
        following = start_appender(options, f"round-{number}")
        following.wait_for_lines(2)
        time.sleep(moments.uniform(0, 0.3))
        process.kill(history)
        process = following
        if number % check_every == 0:
            process.kill(history)
            history.check(log)
            check_copies_are_equal(options)
            process = start_appender(options, f"round-{number}-again")
    process.kill(history)
    history.check(log)
    check_copies_are_equal(options)
    assert all(len(each.isr) == 3 for each in log.describe("mails"))
    assert history.failed == []
    record_property(
        "count", f"log, kill -9: {rounds} rounds, {len(history.acknowledged):,} records acknowledged, 0 lost"
    )
    assert len(history.acknowledged) > 2 * rounds


@pytest.mark.slow
def test_of_twenty_appenders_at_once_of_whom_some_are_killed_nothing_acknowledged_is_lost_or_twice(  # noqa: PLR0917 -- fixtures
    open_embedded: OpenLog,
    options: LogSettings,
    start_appender: Start,
    history: Any,
    moments: random.Random,
    record_property: Callable[[str, object], None],
) -> None:
    """All of one partition, so that each waits for all others; a third die at moments of their own."""
    options = replace(options, segment_bytes=20_000, lock_timeout_s=120)
    log = open_embedded(segment_bytes=options.segment_bytes)
    log.create_topic("mails", 1)
    appenders = [start_appender(options, f"one-of-20-{number}", 18) for number in range(20)]
    killed = moments.sample(appenders, 7)
    for each in killed:
        each.wait_for_lines(moments.randrange(2, 17))
        each.kill(history)
    assert [each.end(history) for each in appenders if each not in killed] == [0] * 13
    history.check(log)
    check_copies_are_equal(options)
    assert history.failed == []
    record_property(
        "count", f"log, 20 appenders at once, 7 killed: {len(history.acknowledged):,} records acknowledged, 0 lost"
    )
    assert len(history.acknowledged) >= 13 * 18


def test_while_the_holder_is_stopped_others_are_told_its_number_and_nothing_is_broken(
    open_embedded: OpenLog, options: LogSettings, start_appender: Start, history: Any
) -> None:
    """SIGSTOP in the middle of an append, then SIGCONT: the append is completed, or fails whole."""
    log = open_embedded(lock_timeout_s=0.3)
    log.create_topic("mails", 1)
    process = start_appender(options, "stopped")
    process.wait_for_lines(4)
    for _ in range(5_000):  # on busy cores it seldom gets as far as its next append
        os.kill(process.pid, signal.SIGSTOP)
        try:
            log.append("mails", [])
            with log.exclusive(SOURCE):
                pass
        except PartitionBusy as error:
            told = error
            break
        finally:
            os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.003)
    else:
        pytest.fail("never stopped within an append")
    assert (told.pid, told.retriable) == (process.pid, True)
    log.close()
    process.kill(history)
    history.check(open_embedded())


def test_a_child_of_the_holder_does_not_hold_on_after_its_death(open_embedded: OpenLog, embedded: EmbeddedLog) -> None:
    ready, told = os.pipe()
    holder = os.fork()
    if holder == 0:
        with open_embedded().exclusive(SOURCE):
            child = os.fork()
            if child:
                os.write(told, b"%d" % child)
            else:
                os.closerange(0, 3)  # or whoever reads our output waits for it
                time.sleep(600)
            os._exit(0)
    child = int(os.read(ready, 20))
    os.waitpid(holder, 0)
    try:
        assert embedded.append("mails", [Record(b"key", b"value")])[0].offset == 0
    finally:
        os.kill(child, signal.SIGKILL)
        os.close(ready)
        os.close(told)
