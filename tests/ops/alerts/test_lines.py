"""ops.alerts.lines: that nobody looks is wrong where somebody is meant to be told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

import conf
from conf.alerting import SinkSettings
from ops.alerts.lines import OLD_S, look_lines

CRON = SinkSettings(name="cron", kind="stdout")
PAGER = SinkSettings(name="page", kind="command", command=("true",))


@pytest.mark.parametrize(
    ("heartbeat", "sinks", "never", "old"),
    [
        ("", (CRON,), [], ["warn"]),
        ("https://hc.example/ping", (CRON,), ["fail"], ["fail"]),
        ("", (CRON, PAGER), ["fail"], ["fail"]),
    ],
    ids=["standard output alone", "a heartbeat", "a pager"],
)
def test_looks_that_are_old_or_were_never_made_are_wrong_where_a_heartbeat_or_a_sink_says_that_they_are_meant(
    heartbeat: str, sinks: tuple[SinkSettings, ...], never: list[str], old: list[str], settings: conf.Settings
) -> None:
    meant = replace(settings, alerts=replace(settings.alerts, heartbeat=heartbeat, sinks=sinks))
    now = datetime.now(UTC)
    assert [line.state for line in look_lines(meant, None)] == never
    assert [line.state for line in look_lines(meant, now - timedelta(seconds=OLD_S + 1))] == old
    assert [line.state for line in look_lines(meant, now - timedelta(seconds=OLD_S - 60))] == []
