"""ops.alerts.outbox: when what a sink has not taken is told again, and when it goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ops.alerts.file import opened
from ops.alerts.outbox import Event, due, failed, give_up, put, troubles

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
LATE = Event("firing", "critical", "lag", "extract/mails", "12 records wait", NOW, NOW)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with opened(tmp_path / "alerts.sqlite") as db:
        yield db


def test_a_sink_is_tried_after_half_a_minute_then_after_twice_as_long_each_time_up_to_a_quarter_of_an_hour(
    db: sqlite3.Connection,
) -> None:
    put(db, LATE, ["desk"])
    now = NOW
    for wait_s in (30, 60, 120, 240, 480, 900, 900, *[900] * 90):
        (waiting,) = due(db, "desk", now)
        failed(db, waiting.number, "answered 500", now)
        assert due(db, "desk", now + (wait_s - 1) * SECOND) == []
        now += wait_s * SECOND
    assert due(db, "desk", now)


def test_what_was_to_be_told_to_a_sink_that_the_settings_have_not_had_for_a_day_is_told_to_nobody_and_is_a_trouble(
    db: sqlite3.Connection,
) -> None:
    put(db, LATE, ["desk", "night"])
    for hour in range(25):
        give_up(db, ["desk"], NOW + timedelta(hours=hour))
    now = NOW + timedelta(hours=25)
    give_up(db, ["desk", "night"], now)
    assert (len(due(db, "desk", now)), due(db, "night", now)) == (1, [])
    assert [(each.sink, each.waiting, each.given_up) for each in troubles(db)] == [("night", 0, 1)]
