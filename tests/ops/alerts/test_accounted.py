"""ops.alerts.home: accounts that do not add up in many places are one alarm, which a mail has room for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import conf
from ops.alerts import home
from ops.alerts.home import accounted
from ops.findings import Finding


@pytest.mark.parametrize(("number", "more"), [(5, ""), (7, "; and 2 more")])
def test_of_many_findings_the_first_five_are_told_and_how_many_more_there_are(
    number: int, more: str, settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(_: conf.Settings) -> Iterator[Finding]:
        for each in range(number):
            yield Finding("claims", "fail", f"claim {each}")
            yield Finding("claims", "warn", "to be read")

    monkeypatch.setitem(home._CHECKS, "claims", ("log", wrong))
    (alarm,) = accounted(settings)
    assert alarm.text == f"claim 0; claim 1; claim 2; claim 3; claim 4{more}"
