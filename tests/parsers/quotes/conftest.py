"""A part of a mail, and what reading lines or assembling drafts gives for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from parsers.documents.text import text_lines
from parsers.quotes.context import Dealer, MailContext, PartContext
from parsers.quotes.runs import RunResult, read_lines


@pytest.fixture
def part() -> Callable[..., PartContext]:
    """Makes a part's context: subject, dealer, clock."""

    def make(subject: str | None = None, dealer: Dealer | None = None, hours: int = -5) -> PartContext:
        mail = MailContext(
            message_key="0" * 64,
            message_id="run@example",
            dealer=dealer,
            sender="desk@example.com",
            subject=subject,
            sent_at=datetime(2026, 11, 18, 14, 0, tzinfo=UTC),
            sent_offset=timedelta(hours=hours),
            parser_version="test",
        )
        return PartContext(mail=mail, part_path="1", content_type="text/plain")

    return make


@pytest.fixture
def runs(part: Callable[..., PartContext]) -> Callable[..., RunResult]:
    """Reads a text as the lines of a part."""

    def read(text: str, subject: str | None = None, dealer: Dealer | None = None, hours: int = -5) -> RunResult:
        return read_lines(text_lines(text), part(subject, dealer, hours))

    return read


LINEAR = 16.0  # times longer for eight times as much: far from 64, so once is enough


@pytest.fixture
def growth() -> Callable[[Callable[[int], object], int], float]:
    """How many times longer a thing takes for eight times as much: 8 where its time is linear, 64 where it is not."""

    def seconds(run: Callable[[int], object], count: int) -> float:
        started = time.process_time()
        run(count)
        return time.process_time() - started

    def measure(run: Callable[[int], object], count: int) -> float:
        few = min(seconds(run, count) for _ in range(3))
        many = seconds(run, 8 * count)
        for _ in range(2):  # what another process made slower
            if many > LINEAR * few:
                many = min(many, seconds(run, 8 * count))
        return many / few

    return measure
