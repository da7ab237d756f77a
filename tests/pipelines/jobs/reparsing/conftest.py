from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

import conf
from log import CommitLog
from parsers.outcome import MailOutcome
from pipelines.jobs import parse_step
from pipelines.jobs.extract import extract
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import Home, home_in

Change = Callable[[MailOutcome], MailOutcome]


@pytest.fixture
def fresh(shared_log: tuple[conf.Settings, CommitLog], tmp_path: Path) -> Home:
    """No mail is extracted yet; this process will do it alone."""
    home = home_in(tmp_path, shared_log)
    few = dataclasses.replace(home.settings.extract, small_mails=1000)
    return dataclasses.replace(home, settings=dataclasses.replace(home.settings, extract=few))


@pytest.fixture
def small(fresh: Home) -> Home:
    """All mails are extracted."""
    small = fresh
    extract(small.settings, small.log, small.group, small.topic, 1000)
    return small


@pytest.fixture
def everything(small: Home) -> list[OffsetRange]:
    """All records."""
    return [OffsetRange(*source, 0, end) for source, end in small.ends.items()]


@pytest.fixture
def parser_that(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """From now on outcomes are changed so, as by a parser that somebody has broken, or mended."""

    def use(change: Change) -> None:
        own = parse_step._outcome

        def changed(*arguments: object) -> MailOutcome:
            return change(own(*arguments))  # type: ignore[arg-type]

        monkeypatch.setattr(parse_step, "_outcome", changed)

    return use
