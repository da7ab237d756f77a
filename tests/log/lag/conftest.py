"""A log whose clock a test sets, and a group that reads it as a job does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import advance
from log.journal import move
from log.lag import History, Judged, LagMonitor, history_of
from log.rewind import to_earliest
from tests.log.consumers.conftest import config, log, mails, run

__all__ = ["config", "log", "mails", "run"]  # a home with a group that has read some mails, and its commands

SOURCE = TopicPartition("mails", 0)
START_S = 1_764_000_000


class Desk:
    """Mails come, a job reads them, somebody looks: at minutes that the test says. A mail may wait 15 minutes."""

    def __init__(self, log: EmbeddedLog, history: History, monkeypatch: pytest.MonkeyPatch) -> None:
        self.log, self.history = log, history
        self._monkeypatch = monkeypatch
        self.every_s = 0.0
        self.at(0)

    def at(self, minutes: float) -> Desk:
        """What happens from now on happens then."""
        now_ns = round((START_S + minutes * 60) * 1000) * 1_000_000
        self._monkeypatch.setattr(time, "time_ns", lambda: now_ns)
        return self

    def mail(self, count: int = 1, partition: int = 0) -> None:
        self.log.append("mails", [Record(b"key", b"mail")] * count, partition)

    def run(self, most: int = 1000) -> None:
        """The job reads what is there, at most so many; where there is nothing, it commits nothing."""
        begun, end = self.log.committed("extract").get(SOURCE, 0), self.log.span(SOURCE).stop
        if begun < end:
            read = {SOURCE: range(begun, min(end, begun + most))}
            advance(self.log, "extract", read, "run", self.log.standing().generation("extract"), topics={})

    def rewind(self) -> None:
        """As `otclog group rewind --to-earliest` does."""
        move(self.log, "extract", [SOURCE], to_earliest)

    @contextmanager
    def member(self) -> Iterator[None]:
        """While it lasts a process of the group has the partition."""
        with self.log.join("extract", ["mails"]) as membership:
            membership.share([SOURCE], lambda _: None)
            lease = membership.lease(SOURCE)
            assert lease is not None
            yield
            lease.release()
            lease.close()

    def look(self, alert_after_s: float | None = None) -> Judged:
        (judged,) = self.look_at_all(alert_after_s)
        return judged

    def look_at_all(self, alert_after_s: float | None = None) -> list[Judged]:
        """One a partition."""
        names = "extract", ["mails"]
        return LagMonitor(self.log, *names, lambda _: self.every_s + 15 * 60, self.history, alert_after_s).look().judged

    def looks(self, minutes: range, mails: int, reads: int) -> list[str]:
        """What is seen at these, each time when so many mails came and so many were read."""
        return [self._round(minute, mails, reads) for minute in minutes]

    def _round(self, minute: int, mails: int, reads: int) -> str:
        self.at(minute).mail(mails)
        self.run(reads)
        return self.state()

    def state(self) -> str:
        """With a mark where somebody is told."""
        judged = self.look()
        return f"{judged.state}{'!' if judged.alarms else ''}"


@pytest.fixture
def history(options: LogSettings, embedded: EmbeddedLog) -> History:
    assert embedded.log_id
    return history_of(options.root)


@pytest.fixture
def desk(embedded: EmbeddedLog, history: History, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(embedded, history, monkeypatch)
