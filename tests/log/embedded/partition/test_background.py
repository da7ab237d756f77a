from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from log import NotEnoughReplicas, Record, TopicPartition, UnknownTopic
from log.embedded import EmbeddedLog
from log.embedded.partition.background import BackgroundFlush

SOURCE = TopicPartition("mails", 0)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_is_written_is_flushed_after_a_while(
    open_embedded: Callable[..., EmbeddedLog], numbered: Callable[..., list[Record]]
) -> None:
    log = open_embedded(flush_ms=20)
    log.create_topic("mails", 1)
    log.append("mails", numbered(5), wait="written")
    wait_until(lambda: log.span(SOURCE) == range(5))


def test_what_is_written_is_flushed_after_so_many(
    open_embedded: Callable[..., EmbeddedLog], numbered: Callable[..., list[Record]]
) -> None:
    log = open_embedded(flush_messages=10)
    log.create_topic("mails", 1)
    log.append("mails", numbered(9), wait="written")
    assert log.span(SOURCE) == range(0)
    log.append("mails", numbered(1, 9), wait="written")
    assert log.span(SOURCE) == range(10)


def test_what_is_written_is_flushed_by_closing(
    open_embedded: Callable[..., EmbeddedLog], numbered: Callable[..., list[Record]]
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(5), wait="written")
    log.close()
    assert open_embedded().span(SOURCE) == range(5)


def test_a_flush_that_fails_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    done = threading.Event()
    tries = []

    def flush(topic: str) -> None:
        tries.append(topic)
        if len(tries) < 3:
            raise NotEnoughReplicas("not yet")
        done.set()

    background = BackgroundFlush(5, flush)
    background.expect("mails")
    assert done.wait(60)
    assert background.close() == []
    assert tries == ["mails"] * 3
    assert "not yet" in caplog.text


def test_a_flush_that_can_never_succeed_is_not_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    tries: list[str] = []
    done = threading.Event()

    def flush(topic: str) -> None:
        tries.append(topic)
        if topic == "later":
            done.set()
            return
        raise UnknownTopic("it was deleted")

    background = BackgroundFlush(5, flush)
    background.expect("mails")
    while not tries:
        time.sleep(0.001)
    background.expect("later")
    assert done.wait(60)
    assert background.close() == []
    assert tries == ["mails", "later"]
    assert "it was deleted" in caplog.text


def test_closing_names_what_is_still_due() -> None:
    background = BackgroundFlush(60_000, lambda _: None)
    background.expect("mails")
    background.expect("ops")
    assert background.close() == ["mails", "ops"]
