"""Logs of a test's own: on three folders, closed when the test ends."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog

MAILS = TopicPartition("mails", 0)

OpenLog = Callable[..., EmbeddedLog]


@pytest.fixture
def options(tmp_path: Path) -> LogSettings:
    """Three replicas, two needed, and waits that a test can afford."""
    return LogSettings(
        backend="embedded",
        root=tmp_path / "log",
        replicas=tuple(tmp_path / f"disk-{number}" for number in (1, 2, 3)),
        min_insync=2,
        segment_bytes=2**20,
        segment_age_s=86400,
        compression="zstd",
        scrub_bytes_s=0,
        replica_timeout_s=30,
        lock_timeout_s=30,
        inline_max_bytes=2**20,
        claims=(),
        claim_grace_s=3600,
    )


@pytest.fixture
def open_embedded(options: LogSettings) -> Iterator[OpenLog]:
    """Open the log of `options`, some of them changed; what is `written` is not flushed by itself, if all goes well."""
    opened: list[EmbeddedLog] = []

    def open_(*, flush_messages: int = 1000, flush_ms: int = 60_000, **changes: Any) -> EmbeddedLog:
        changed = dataclasses.replace(options, **changes)
        log = EmbeddedLog(changed, flush_messages=flush_messages, flush_ms=flush_ms)
        opened.append(log)
        return log

    yield open_
    for log in opened:
        log.close()


@pytest.fixture
def embedded(open_embedded: OpenLog) -> EmbeddedLog:
    """A log with the topic `mails` of one partition."""
    log = open_embedded()
    log.create_topic("mails", 1)
    return log


@pytest.fixture
def numbered() -> Callable[..., list[Record]]:
    """Records whose values are the numbers from `start` on."""

    def make(count: int, start: int = 0, size: int = 0) -> list[Record]:
        return [Record(b"key", b"%d" % number + b"." * size) for number in range(start, start + count)]

    return make
