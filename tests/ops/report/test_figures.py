"""ops.report.figures: what counts on which day, and whose words."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

import conf
from ops.analysis.place import store_of_events
from ops.report.figures import sections
from pipelines.tables.store.store import store_of
from tests.ops.alerts.dealers.traffic import Mail
from tests.ops.alerts.tables import publish
from tests.ops.analysis.conftest import Run, Say, analysed, log, say

__all__ = ["analysed", "log", "say"]  # fixtures

DAY = date(2026, 11, 24)
MIDNIGHT = datetime(2026, 11, 25, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def reported(settings: conf.Settings, day: date) -> dict[str, list[dict[str, Any]]]:
    return {each.name: each.rows for each in sections(store_of_events(settings.tables), store_of(settings.tables), day)}


def test_a_mail_that_came_before_midnight_and_was_parsed_behind_it_has_its_latency_on_its_day(
    settings: conf.Settings, say: Say, analysed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(settings, [Mail("Fox", "europe", MIDNIGHT - MINUTE, 1, 0, 1, "text/plain")], 0)
    parsed = MIDNIGHT + MINUTE
    with monkeypatch.context() as patched:
        patched.setattr(time, "time_ns", lambda: int(parsed.timestamp()) * 10**9)
        about = {"topic": "mails", "partition": 0, "offset": 0, "state": "parsed"}
        say("mails-0, offset 0: parsed", timestamp=parsed.isoformat(), **about)
    analysed()
    hops = {row["hop"]: row["most_s"] for row in reported(settings, DAY)["latencies"]}
    assert hops["log to parsed"] == 120.0
    assert reported(settings, DAY)["programs"] == []


def test_that_a_member_came_is_otclogs_own_word_and_no_other_programs(
    settings: conf.Settings, say: Say, analysed: Run
) -> None:
    said = "group extract: member 7-ab of desk-1 joined"
    say(said)
    say(said, shipped="file", unit="app")
    say(said.encode())
    analysed()
    today = datetime.now(UTC).date()
    assert [(row["group"], row["joined"]) for row in reported(settings, today)["members"]] == [("extract", 1)]
