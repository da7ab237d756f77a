"""ops.alerts.accounting: whether it all adds up, asked beside the looks, which tell what it found."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import conf
from ops.alerts import accounting
from ops.alerts.accounting import account, accounted
from ops.alerts.alarm import Alarm
from ops.alerts.file import alone, keep_note, opened
from ops.alerts.looking import look
from ops.alerts.publication import MAILS
from ops.findings import Finding
from pipelines.jobs.plan import new_run_id
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from tests.ops.test_accounts import home as extracted
from tests.ops.test_accounts import mails, without
from tests.pipelines.conftest import Home
from tests.pipelines.stores import publish_now

pytestmark = pytest.mark.slow

__all__ = ["extracted", "mails"]  # fixtures

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def told(settings: conf.Settings, now: datetime) -> list[Alarm]:
    with opened(settings.alerts.state) as db:
        return accounted(db, now).alarms


def test_mails_without_an_outcome_are_an_alarm_until_they_have_one_and_are_asked_for_within_the_hour(
    extracted: Home,
) -> None:
    settings, whole = extracted.settings, latest(extracted.store).versions
    assert account(settings, NOW) == []
    assert told(settings, NOW) == []
    without(extracted, "mails", OffsetRange("mails", 1, 1, 2))
    account(settings, NOW + 23 * HOUR)
    assert told(settings, NOW + 23 * HOUR) == [], "it is not due yet"
    account(settings, NOW + 24 * HOUR)
    (alarm,) = told(settings, NOW + 24 * HOUR)
    assert (alarm.kind, alarm.subject, alarm.level) == ("rows", "tables", "critical")
    assert "1 offsets that were extracted have no outcome: 1" in alarm.text
    publish_now(extracted.store, new_run_id(), dict(whole))
    account(settings, NOW + 24.5 * HOUR)
    assert told(settings, NOW + 24.5 * HOUR) == [alarm]
    account(settings, NOW + 25 * HOUR)
    assert told(settings, NOW + 25 * HOUR) == []


def test_by_a_clock_that_was_ahead_nothing_is_put_off(extracted: Home) -> None:
    account(extracted.settings, NOW + timedelta(days=365))
    without(extracted, "mails", OffsetRange("mails", 1, 1, 2))
    account(extracted.settings, NOW)
    assert [alarm.kind for alarm in told(extracted.settings, NOW)] == ["rows"]


def test_looks_go_on_and_tell_while_an_account_takes_long_and_no_second_one_begins(
    extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, asked, go_on = extracted.settings, threading.Event(), threading.Event()

    def long(_: conf.Settings) -> Iterator[Finding]:
        asked.set()
        assert go_on.wait(60)
        yield Finding("claims", "fail", "no place has 1 claim")

    monkeypatch.setitem(accounting._CHECKS, "claims", ("log", long))
    thread = threading.Thread(target=account, args=(settings, NOW))
    thread.start()
    try:
        assert asked.wait(60)
        look(settings, NOW)
        account(settings, NOW)
        with alone(settings.alerts.state):
            assert told(settings, NOW) == []
    finally:
        go_on.set()
        thread.join()
    assert [alarm.text for alarm in told(settings, NOW)] == ["no place has 1 claim"]


def test_what_is_never_asked_to_its_end_is_told_and_what_was_before_it_is_kept(
    extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = extracted.settings

    def killed(_: conf.Settings) -> Iterator[Finding]:
        raise KeyboardInterrupt

    monkeypatch.setitem(accounting._CHECKS, "rows", ("tables", killed))
    assert told(settings, NOW) == []
    for hours in range(7):
        with pytest.raises(KeyboardInterrupt):
            account(settings, NOW + hours * HOUR)
    assert told(settings, NOW + 5 * HOUR) == []
    (alarm,) = told(settings, NOW + 6 * HOUR)
    assert (alarm.kind, alarm.subject, alarm.level) == ("alerts", "accounts", "critical")
    assert alarm.text.startswith("rows: due since 2026-11-24 09:00 UTC, and not asked to the end: does `otclog ops")
    monkeypatch.undo()
    account(settings, NOW + 7 * HOUR)
    assert told(settings, NOW + 7 * HOUR) == []


def test_what_cannot_be_asked_stays_as_it_was_found_and_is_told_as_that(
    extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = extracted.settings
    without(extracted, "mails", OffsetRange("mails", 1, 1, 2))
    account(settings, NOW)
    (wrong,) = told(settings, NOW)

    def broken(_: conf.Settings) -> Iterator[Finding]:
        raise OSError(5, "Input/output error", "/data")

    monkeypatch.setitem(accounting._CHECKS, "rows", ("tables", broken))
    assert account(settings, NOW + HOUR) == ["rows: /data: Input/output error"]
    rows, unasked = told(settings, NOW + HOUR)
    assert rows == wrong
    assert (unasked.kind, unasked.subject) == ("alerts", "accounts")
    assert unasked.text == "rows cannot be asked: /data: Input/output error"


def test_where_log_or_tables_are_gone_it_does_not_add_up(extracted: Home) -> None:
    settings = extracted.settings
    without(extracted, "mails", OffsetRange("mails", 1, 1, 2))
    account(settings, NOW)
    wrong = told(settings, NOW)
    with opened(settings.alerts.state) as db:
        keep_note(db, MAILS, 3)
    tables = settings.tables.folder
    assert tables
    for number, folder in enumerate((tables, settings.log.root)):
        folder.rename(folder.with_name("away"))
        now = NOW + (number + 1) * HOUR
        assert account(settings, now)
        rows, unasked = told(settings, now)
        assert ([rows], unasked.subject) == (wrong, "accounts")
        folder.with_name("away").rename(folder)


@pytest.mark.parametrize(("number", "more"), [(5, ""), (7, "; and 2 more")])
def test_of_many_findings_the_first_five_are_told_and_how_many_more_there_are(
    number: int, more: str, settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(_: conf.Settings) -> Iterator[Finding]:
        for each in range(number):
            yield Finding("claims", "fail", f"claim {each}")
            yield Finding("claims", "warn", "to be read")

    monkeypatch.setitem(accounting._CHECKS, "claims", ("log", wrong))
    account(settings, NOW)
    with opened(settings.alerts.state) as db:
        (alarm,) = accounted(db, NOW).alarms
    assert alarm.text == f"claim 0; claim 1; claim 2; claim 3; claim 4{more}"
