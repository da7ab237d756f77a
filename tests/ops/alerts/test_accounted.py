"""ops.alerts.accounting: accounts that do not add up in many places are one alarm, which a mail has room for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

import conf
from ops.alerts import accounting
from ops.alerts.accounting import account, accounted
from ops.alerts.file import opened
from ops.findings import Finding

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


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
