"""log.sender: whoever speaks waits for nothing, whatever the log does; tests/log/contract has what arrives."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

import conf
from conf.settings import LogSettings
from log.embedded import EmbeddedLog
from log.errors import PartitionBusy
from log.opslog import MAX_VALUE_BYTES, TOPIC, ensure_topic
from log.reading import has_topic, records_of
from log.sender import MAX_WAITING_BYTES, Sender
from log.types import TopicPartition

ROOT = Path(__file__).parents[2]
OPS = TopicPartition(TOPIC, 0)


def line(event: str) -> str:
    return json.dumps({"timestamp": "2026-11-29T08:00:00.000001Z", "level": "info", "event": event, "process": 17})


def said_in(log: EmbeddedLog) -> list[dict[str, Any]]:
    return [json.loads(each.value or b"") for each in records_of(log, OPS)] if has_topic(log, TOPIC) else []


def wait_until(is_so: Callable[[], bool]) -> None:
    """Fails by the test's timeout."""
    while not is_so():
        time.sleep(0.01)


@pytest.fixture
def sender(options: LogSettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sender]:
    """What failed is tried again soon."""
    monkeypatch.setattr("log.sender.LINGER_S", 0.02)
    monkeypatch.setattr("log.sender.LONGEST_WAIT_S", 0.02)
    monkeypatch.setattr("log.sender.FLUSH_S", 60)
    sender = Sender(options, "desk-1", "otclog watch")
    yield sender
    sender.close()


def test_while_there_is_no_log_nobody_waits_none_is_made_and_that_is_told_once(
    options: LogSettings, sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(100):
        sender.send(line(str(number)))
    wait_until(lambda: caplog.messages != [])
    sender.flush()
    assert not options.root.exists()
    time.sleep(0.1)  # some more tries
    (told,) = caplog.messages
    assert "messages do not go into topic ops now" in told
    assert "no log is here yet" in told
    log = EmbeddedLog(options)
    wait_until(lambda: len(said_in(log)) == 100)
    log.close()


def test_what_waits_is_bounded_the_oldest_is_kept_and_what_was_dropped_is_counted(
    options: LogSettings, sender: Sender
) -> None:
    long = line("x" * (MAX_VALUE_BYTES // 2))
    kept = MAX_WAITING_BYTES // len(long)
    sent, dropped = counted("sent"), counted("dropped")
    for _ in range(kept + 7):
        sender.send(long)
    log = EmbeddedLog(options)
    wait_until(lambda: len(said_in(log)) == kept + 1)
    told = said_in(log)[-1]
    assert (told["dropped"], told["level"], told["host"], told["unit"]) == (7, "warning", "desk-1", "otclog watch")
    sender.send(line("afterwards"))
    wait_until(lambda: len(said_in(log)) == kept + 2)
    assert said_in(log)[-1]["event"] == "afterwards"
    wait_until(lambda: counted("sent") == sent + kept + 1)
    assert counted("dropped") == dropped + 7
    log.close()


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("otclog_messages_total", {"outcome": outcome}) or 0.0


def test_while_another_process_holds_the_partition_nobody_waits(options: LogSettings, sender: Sender) -> None:
    log = EmbeddedLog(options)
    ensure_topic(log)

    def say(_: Mapping[TopicPartition, PartitionBusy]) -> None:
        for number in range(10):
            sender.send(line(str(number)))  # were one to wait for the lock, it would for ever

    log.append_new([OPS], say)
    wait_until(lambda: len(said_in(log)) == 10)
    log.close()


def test_what_the_log_says_of_an_append_of_messages_is_no_message_itself(
    options: LogSettings, sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    class Sending(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            sender.send(line(record.getMessage()))

    log = EmbeddedLog(options)
    ensure_topic(log)
    handler = Sending()
    logging.getLogger().addHandler(handler)
    try:
        options.replicas[2].rename(options.replicas[2].with_suffix(".away"))
        logging.getLogger("ingest").warning("a.eml stays")
        sender.flush()
        assert any("left the in-sync replicas" in said for said in caplog.messages)
        logging.getLogger("ingest").warning("b.eml stays")
        sender.flush()
    finally:
        logging.getLogger().removeHandler(handler)
    assert [each["event"] for each in said_in(log)] == ["a.eml stays", "b.eml stays"]
    log.close()


def test_where_no_thread_can_begin_that_is_told_once_and_a_later_message_takes_all_along(
    options: LogSettings, sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    log = EmbeddedLog(options)
    before = threading.stack_size(2**47)  # more than an address has bits for
    try:
        sender.send(line("one"))
        sender.send(line("two"))
        sender.flush()  # and waits for nothing
    finally:
        threading.stack_size(before)
    (told,) = caplog.messages
    assert "messages do not go into topic ops now" in told
    assert "can't start new thread" in told
    sender.send(line("three"))
    wait_until(lambda: len(said_in(log)) == 3)
    assert [each["event"] for each in said_in(log)] == ["one", "two", "three"]
    log.close()


def test_why_the_log_takes_nothing_is_told_though_somebody_waited_in_vain_before(
    sender: Sender, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("log.sender.FLUSH_S", 0)
    sender.send(line("one"))
    sender.flush()
    wait_until(lambda: caplog.messages != [])
    assert "no log is here yet" in caplog.messages[0]


def test_what_was_dropped_is_counted_before_a_process_ends_though_nothing_else_waits(
    options: LogSettings, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("log.sender.LINGER_S", 3600)
    monkeypatch.setattr("log.sender.MAX_WAITING_BYTES", len(line("one")))

    class Interrupting(logging.Handler):
        """While the log says something of an append, another thread speaks."""

        def emit(self, record: logging.LogRecord) -> None:
            other = threading.Thread(target=sender.send, args=(line(record.levelname),))
            other.start()
            other.join()

    log = EmbeddedLog(options)
    ensure_topic(log)
    options.replicas[2].rename(options.replicas[2].with_suffix(".away"))
    logging.getLogger().addHandler(handler := Interrupting())
    try:
        sender.send(line("one"))
        sender.flush()
    finally:
        logging.getLogger().removeHandler(handler)
    sender.flush()
    one, counted = said_in(log)
    assert (one["event"], counted["dropped"]) == ("one", 1)
    log.close()


LAST_WORDS = """
import logging, os, sys
from pathlib import Path
import conf
import log.sender
from conf.messages import share_messages
from log.sender import Sender

log.sender.LINGER_S = log.sender.FLUSH_S = 30  # a busy machine is no matter here
share_messages(Sender(conf.load(Path(sys.argv[1])).log, "desk-1", "otclog watch"), "info")
logging.getLogger("ingest").warning("last words")
logging.shutdown()
os._exit(0)
"""


def test_at_the_end_what_the_log_says_of_the_last_append_does_not_wait_for_who_waits_for_that(tmp_path: Path) -> None:
    config = tmp_path / "otclog.toml"
    config.write_text("[log]\n")
    options = conf.load(config).log
    log = EmbeddedLog(options)
    ensure_topic(log)
    options.replicas[2].rename(options.replicas[2].with_suffix(".away"))
    subprocess.run([sys.executable, "-c", LAST_WORDS, str(config)], cwd=ROOT, check=True)
    assert [each["event"] for each in said_in(log)] == ["last words"]
    log.close()


END = """
import logging, sys
from pathlib import Path
import conf
import log.sender
from conf.messages import begin_messages, share_messages
from log.sender import Sender

log.sender.FLUSH_S = 0.1
settings = conf.load(Path(sys.argv[1]))
begin_messages(settings.logging)
share_messages(Sender(settings.log, "desk-1", "otclog watch"), "info")
for number in range(3):
    logging.getLogger("ingest").warning("late %d", number)
"""


def test_at_the_end_it_is_told_once_how_many_messages_did_not_go_into_the_log(tmp_path: Path) -> None:
    config = tmp_path / "otclog.toml"
    config.write_text("[log]\n")
    log = EmbeddedLog(conf.load(config).log)
    ensure_topic(log)

    def end(_: Mapping[TopicPartition, PartitionBusy]) -> None:
        done = subprocess.run([sys.executable, "-c", END, str(config)], cwd=ROOT, check=True, capture_output=True)
        assert done.stderr.decode().count("of the last messages 3 did not go into topic ops") == 1

    log.append_new([OPS], end)  # it holds the partition meanwhile
    log.close()
    assert said_in(EmbeddedLog(conf.load(config).log)) == []


def test_a_signal_handler_may_speak_while_its_thread_speaks(options: LogSettings, sender: Sender) -> None:
    speaker = threading.current_thread()

    class Interrupted(str):
        """A line during whose sending a signal comes."""

        __slots__ = ()

        def __len__(self) -> int:
            if threading.current_thread() is speaker:
                signal.raise_signal(signal.SIGUSR1)
            return super().__len__()

    before = signal.signal(signal.SIGUSR1, lambda *_: sender.send(line("handler")))
    try:
        sender.send(Interrupted(line("interrupted")))
    finally:
        signal.signal(signal.SIGUSR1, before)
    log = EmbeddedLog(options)
    wait_until(lambda: {each["event"] for each in said_in(log)} == {"handler", "interrupted"})
    log.close()


FORK = """
import json, os, sys
from pathlib import Path
import conf
import log.sender
from log.sender import Sender

log.sender.FLUSH_S = 60  # a busy machine is no matter here

def said(event):
    return json.dumps({"event": event, "process": os.getpid()})

sender = Sender(conf.load(Path(sys.argv[1])).log, "desk-1", "otclog watch")
if sys.argv[2] == "after the first message":
    sender.send(said("first"))
    sender.flush()
sender.send(said("parent"))
children = []
for number in range(3):
    if (child := os.fork()) == 0:
        sender.send(said(f"child {number}"))
        sender.flush()
        os._exit(0)
    children.append(child)
sender.send(said("parent again"))
for child in children:
    os.waitpid(child, 0)
sender.flush()
"""


@pytest.mark.parametrize("when", ["before any message", "after the first message"])
def test_a_forked_child_sends_what_it_says_itself_and_nothing_of_its_parent(tmp_path: Path, when: str) -> None:
    config = tmp_path / "otclog.toml"
    config.write_text("[log]\n")
    log = EmbeddedLog(conf.load(config).log)
    subprocess.run([sys.executable, "-c", FORK, str(config), when], cwd=ROOT, check=True)
    found = sorted(each["event"] for each in said_in(log))
    first = ["first"] if when == "after the first message" else []
    assert found == ["child 0", "child 1", "child 2", *first, "parent", "parent again"]
    assert len({each["process"] for each in said_in(log)}) == 4
    log.close()
