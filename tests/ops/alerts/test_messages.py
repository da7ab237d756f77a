"""ops.alerts.messages: programs that say far more errors than they did, by weeks of generated lines."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

import conf
from conf.alerting import AlertSettings, RuleSettings
from log import open_log
from log.opslog import TOPIC, ensure_topic, record_of
from ops.alerts.alarm import Since
from ops.alerts.file import keep_note, ms, opened
from ops.alerts.looking import look
from ops.alerts.messages import count_errors, storms
from ops.analysis.analyse import analyse
from ops.analysis.place import store_of_events
from pipelines.errors import TablesDamaged
from pipelines.jobs.plan import new_run_id
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import write
from pipelines.tables.publication import newest
from pipelines.tables.schemas.events import EVENTS
from tests.ops.alerts.dealers.traffic import poisson
from tests.pipelines.stores import HELD, publish_now

FIRST = datetime(2026, 6, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = FIRST + 22 * DAY
RATES = {"otclog watch": 0.02, "otclog extract": 2.0, "postfix.service": 30.0}  # errors an hour on average
Errors = Callable[[str, datetime], int]
SETTINGS = AlertSettings(looks=2, accounts_every_s=1, state=Path("unused"), heartbeat="", rules=(), sinks=())


@pytest.fixture
def db(settings: conf.Settings) -> Iterator[sqlite3.Connection]:
    with opened(settings.alerts.state) as db:
        yield db


def usual(chance: random.Random) -> Errors:
    """By day five times as many as by night, and at weekends a tenth."""

    def errors(unit: str, at: datetime) -> int:
        by_day = 1.0 if 7 <= at.hour < 18 else 0.2
        return poisson(RATES[unit] * by_day * (0.1 if at.weekday() >= 5 else 1.0), chance)

    return errors


def publish(settings: conf.Settings, first: datetime, hours: int, errors: Errors) -> None:
    """Lines as they stand in the table of events: an hour's errors of each unit, and a line that is none."""
    rows = []
    for number in range(hours):
        at = first + number * HOUR
        for unit in RATES:
            levels = ["info", *["error"] * errors(unit, at)]
            rows += [{"unit": unit, "level": level, "received_ts": at, "received_day": at.date()} for level in levels]
    full = [{"log_partition": 0, "topic": "ops", "log_offset": 0, "flags": [], "line": "x"} | row for row in rows]
    store = store_of_events(settings.tables)
    create(store, EVENTS, HELD)
    added = write(pa.Table.from_pylist(full, EVENTS.arrow_schema()).to_batches(), store, EVENTS, "r")
    versions = dict(newest(store).versions) | {"events": commit(store, EVENTS, Change(tuple(added)), {}, HELD)}
    publish_now(store, new_run_id(), versions)


def told(db: sqlite3.Connection, now: datetime, settings: AlertSettings = SETTINGS) -> list[str]:
    return [alarm.subject for alarm in storms(db, settings, {}, now)]


@pytest.mark.slow
def test_in_thirty_quiet_days_nothing_is_told(settings: conf.Settings, db: sqlite3.Connection) -> None:
    publish(settings, FIRST, 24 * 52, usual(random.Random(3)))
    count_errors(db, settings, NOW)
    assert [(at, told(db, NOW + at * HOUR)) for at in range(24 * 30) if told(db, NOW + at * HOUR)] == []


def test_a_storm_is_told_in_its_hour_and_until_a_whole_hour_is_quiet_and_so_is_the_next(
    settings: conf.Settings, db: sqlite3.Connection
) -> None:
    quiet = usual(random.Random(3))
    storm = {NOW + 10 * HOUR, NOW + 11 * HOUR, NOW + 12 * HOUR, NOW + 40 * HOUR}

    def errors(unit: str, at: datetime) -> int:
        return 90 if unit == "otclog extract" and at in storm else quiet(unit, at)

    publish(settings, FIRST, 24 * 25, errors)
    count_errors(db, settings, NOW)
    hours = [at for at in range(72) if told(db, NOW + at * HOUR)]
    assert hours == [10, 11, 12, 13, 40, 41]
    (alarm,) = storms(db, SETTINGS, {}, NOW + 10 * HOUR)
    assert (alarm.kind, alarm.subject, alarm.level) == ("messages", "otclog extract", "warning")
    assert alarm.text.startswith("90 errors from 10:00 UTC on; ")
    assert alarm.text.endswith("`otclog ops search --unit 'otclog extract' --level error`")
    rules = (RuleSettings(kind="messages", subject="otclog ex*", limit=100),)
    mild = AlertSettings(looks=2, accounts_every_s=1, state=Path("unused"), heartbeat="", rules=rules, sinks=())
    assert told(db, NOW + 10 * HOUR, mild) == []


def test_what_goes_on_is_told_for_two_weeks_and_is_usual_then(settings: conf.Settings, db: sqlite3.Connection) -> None:
    publish(settings, FIRST, 24 * 40, lambda unit, at: 90 if unit == "otclog extract" and at >= NOW else 1)
    count_errors(db, settings, NOW)
    since: Since = {("messages", "otclog extract"): NOW}
    days = [day for day in range(18) if list(storms(db, SETTINGS, since, NOW + day * DAY))]
    assert days == list(range(14))


@pytest.mark.slow
def test_a_storm_that_is_counted_day_by_day_is_told_as_long(settings: conf.Settings, db: sqlite3.Connection) -> None:
    publish(settings, FIRST, 24 * 22, lambda unit, at: 38 + at.day % 5 if unit == "otclog extract" else 1)
    since: Since = {("messages", "otclog extract"): NOW}
    days = []
    for day in range(16):
        publish(settings, NOW + day * DAY, 24, lambda unit, _: 96 if unit == "otclog extract" else 1)
        now = NOW + (day + 1) * DAY - HOUR
        count_errors(db, settings, now)
        days += [day for _ in storms(db, SETTINGS, since, now)]
    assert days == list(range(14))


def test_nothing_is_said_before_lines_of_a_week_are_known(settings: conf.Settings, db: sqlite3.Connection) -> None:
    publish(settings, NOW - 7 * DAY, 24 * 8, lambda _, at: 90 if at >= NOW - HOUR else 0)
    count_errors(db, settings, NOW)
    assert told(db, NOW - HOUR) == []
    assert sorted(told(db, NOW)) == sorted(RATES)


def test_what_is_analysed_later_is_counted_once_and_what_is_gone_is_told_as_that(
    settings: conf.Settings, db: sqlite3.Connection
) -> None:
    for number in range(3):
        publish(settings, NOW + number * 12 * HOUR, 12, lambda *_: 2)
        count_errors(db, settings, NOW + (number + 1) * 12 * HOUR)
        assert db.execute("SELECT count(*), sum(errors) FROM error_hours").fetchone() == (
            36 * (number + 1),
            72 * (number + 1),
        )
    folder = settings.tables.folder
    assert folder
    (folder / "ops").rename(folder / "away")
    with pytest.raises(TablesDamaged, match="is a disk away"):
        count_errors(db, settings, NOW)


def test_errors_that_programs_say_into_the_log_are_told_once_they_are_analysed(
    settings: conf.Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime.now(UTC)
    with opened(settings.alerts.state) as db:
        keep_note(db, "events since", ms(now - 10 * DAY) // 3_600_000)
    with closing(open_log(settings.log)) as log:
        ensure_topic(log)
        said = record_of({"event": "cannot be read", "level": "error"}, "desk-1", "otclog extract")
        log.append(TOPIC, [said] * 21)
        analyse(settings, log)
    for number in range(3):
        look(settings, now + timedelta(seconds=number))
    assert capsys.readouterr().out.count("firing: messages otclog extract: 21 errors from") == 1
