"""ops.alerts.sinks: how long a sink is told things at a look, and what is left of a program that hangs."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from conf.alerting import SinkSettings
from ops.alerts import outbox
from ops.alerts.file import opened
from ops.alerts.outbox import Event
from ops.alerts.sinks import sending
from ops.alerts.sinks.sending import send_due, tried
from tests.ops.alerts.servers import receiver

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


@contextmanager
def waiting(tmp_path: Path, number: int) -> Iterator[sqlite3.Connection]:
    """So many alarms that are to be told to the sink `hook`."""
    with opened(tmp_path / "alerts.sqlite") as db:
        for each in range(number):
            outbox.put(db, Event("firing", "critical", "lag", f"g/{each}", "mails wait", NOW, NOW), ["hook"])
        yield db


class SlowOnce(threading.Event):
    """What waits for it first waits longer than a turn, the others do not."""

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set():
            time.sleep(0.5)
            self.set()
        return super().wait(timeout)


def test_a_slow_sink_is_told_for_its_turn_and_the_rest_at_the_next_looks_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TURN_S", 0.2)
    with receiver(wait=SlowOnce()) as server, waiting(tmp_path, 12) as db:
        sink = SinkSettings(name="hook", kind="webhook", url=server.url, timeout_s=60)
        send_due(db, [sink], NOW)
        assert len(server.got) == 1
        while outbox.due(db, "hook", NOW):
            send_due(db, [sink], NOW)
    assert sorted(body["subject"] for _, body in server.got) == sorted(f"g/{each}" for each in range(12))


def test_a_sink_that_is_back_hears_at_one_look_all_that_came_of_an_alarm_meanwhile(tmp_path: Path) -> None:
    states = ["firing", "resolved"] * 12
    with receiver() as server, opened(tmp_path / "alerts.sqlite") as db:
        for state in states:
            outbox.put(db, Event(state, "critical", "lag", "g", "mails wait", NOW, NOW), ["hook"])
        sink = SinkSettings(name="hook", kind="webhook", url=server.url)
        assert send_due(db, [sink], NOW)
        assert outbox.due(db, "hook", NOW) == []
    assert [body["state"] for _, body in server.got] == states


def test_a_sink_that_fails_amid_a_backlog_is_told_no_more_at_that_look(tmp_path: Path) -> None:
    with receiver(204, 204, 500) as server, opened(tmp_path / "alerts.sqlite") as db:
        for state in ["firing", "resolved"] * 3:
            outbox.put(db, Event(state, "critical", "lag", "g", "mails wait", NOW, NOW), ["hook"])
        send_due(db, [SinkSettings(name="hook", kind="webhook", url=server.url)], NOW)
        assert [body["state"] for _, body in server.got] == ["firing", "resolved", "firing"]
        assert [(each.waiting, each.why) for each in outbox.troubles(db)] == [(1, "127.0.0.1: answered 500")]


def test_what_a_sink_did_not_answer_in_time_is_told_later_and_not_at_once_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TURN_S", 0.1)
    never = threading.Event()

    def hangs(*_: object) -> None:
        never.wait(60)

    monkeypatch.setitem(sending._WAYS, "webhook", hangs)
    sink = SinkSettings(name="hook", kind="webhook", url="https://a.example/", timeout_s=0.1)
    with waiting(tmp_path, 1) as db, ExitStack() as stack:
        stack.callback(never.set)
        send_due(db, [sink], NOW)
        assert [(each.waiting, each.why) for each in outbox.troubles(db)] == [(1, "no answer in 0.2 s")]
        assert outbox.due(db, "hook", NOW) == []
        assert len(outbox.due(db, "hook", NOW + timedelta(minutes=1))) == 1


def is_gone(process: int) -> bool:
    """Or waits for nothing but to be forgotten."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def until(is_so: Callable[[], bool]) -> bool:
    """Whether it is so within ten seconds."""
    end = time.monotonic() + 10
    while not is_so() and time.monotonic() < end:
        time.sleep(0.02)
    return is_so()


@pytest.mark.slow
def test_of_a_program_that_hangs_nothing_that_it_started_is_left(tmp_path: Path) -> None:
    started = tmp_path / "started"
    script = f"sleep 300 & echo $! > {started}.new; mv {started}.new {started}; wait"
    sink = SinkSettings(name="page", kind="command", command=("sh", "-c", script), timeout_s=3)
    assert tried(sink, NOW) == "sh: has not ended after 3 s"
    child = int(started.read_text())
    assert until(lambda: is_gone(child))
