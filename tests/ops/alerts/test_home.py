"""ops.alerts.home: what status and doctor find wrong, as alarms."""

from __future__ import annotations

from contextlib import closing

import pytest

import conf
from log import Record, open_log
from ops.alerts import home
from ops.alerts.home import accounted, standing
from pipelines.tables.ranges import OffsetRange
from tests.ops.test_accounts import home as extracted
from tests.ops.test_accounts import mails, without
from tests.pipelines.conftest import Home

__all__ = ["extracted", "mails"]  # fixtures


def told(settings: conf.Settings) -> list[tuple[str, str]]:
    return [(alarm.kind, alarm.subject) for alarm in standing(settings).found.alarms]


def test_mails_without_an_outcome_are_an_alarm(extracted: Home) -> None:
    assert accounted(extracted.settings) == []
    without(extracted, "mails", OffsetRange("mails", 1, 1, 2))
    (alarm,) = accounted(extracted.settings)
    assert (alarm.kind, alarm.level) == ("rows", "critical")
    assert "1 offsets that were extracted have no outcome: 1" in alarm.text


def test_a_partition_that_gets_most_of_a_topics_records_is_an_alarm_beyond_a_thousand(settings: conf.Settings) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("axes", 4)
        log.append("axes", [Record(b"same", b"x")] * 999)
        assert ("skew", "axes") not in told(settings)
        log.append("axes", [Record(b"same", b"x")])
        assert ("skew", "axes") in told(settings)
        log.append("axes", [Record(b"%d" % number, b"x") for number in range(6_000)])
        assert ("skew", "axes") not in told(settings)


def test_an_account_that_cannot_be_asked_is_told_as_such(
    settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: conf.Settings) -> None:
        raise OSError(5, "Input/output error", "/data")

    monkeypatch.setitem(home._CHECKS, "claims", ("log", broken))
    (alarm,) = accounted(settings)
    assert (alarm.kind, alarm.text) == ("claims", "cannot be asked: /data: Input/output error")


def test_where_nothing_runs_and_nothing_waits_nothing_is_wrong(settings: conf.Settings) -> None:
    for name in ("new", "cur", "tmp"):
        (settings.ingest.sources[0].path / name).mkdir(parents=True)
    assert told(settings) == []
