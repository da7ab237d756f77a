"""A log with a topic `ops`, and what lines in it become."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

import conf
from log import CommitLog, Record, open_log
from log.opslog import TOPIC, ensure_topic, record_of
from ops.analysis.analyse import Analysed, analyse
from ops.analysis.place import store_of_events
from ops.searching.searching import Asked, lines
from pipelines.errors import NothingPublished

Say = Callable[..., None]
Seen = Callable[..., list[dict[str, Any]]]
Run = Callable[[], Analysed]


@pytest.fixture
def log(settings: conf.Settings) -> Iterator[CommitLog]:
    with closing(open_log(settings.log)) as opened:
        ensure_topic(opened)
        yield opened


@pytest.fixture
def say(log: CommitLog) -> Say:
    """Append lines: of these events, each with the same other fields; or whole values as they are."""

    def append(*events: str | bytes, host: str = "desk-1", unit: str = "otclog watch", **fields: Any) -> None:
        said = {"timestamp": "2026-11-28T09:00:00.000001Z", "level": "info", "process": 7} | fields
        records = [
            Record(b"desk-1|x", each) if isinstance(each, bytes) else record_of({"event": each, **said}, host, unit)
            for each in events
        ]
        log.append(TOPIC, records)

    return append


@pytest.fixture
def analysed(settings: conf.Settings, log: CommitLog) -> Run:
    """A run over all that waits."""
    return lambda: analyse(settings, log)


@pytest.fixture
def seen(settings: conf.Settings) -> Seen:
    """What a search finds; without anything asked all lines. Nothing where nothing is analysed."""

    def found(limit: int | None = None, **asked: Any) -> list[dict[str, Any]]:
        try:
            return list(lines(store_of_events(settings.tables), Asked(**asked), limit))
        except NothingPublished:
            return []

    return found
