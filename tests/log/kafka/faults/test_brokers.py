"""Three brokers, three copies, two of which must have a record: one of them at a time dies, stops, comes back."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

import pytest

import conf
from conf.settings import LogSettings
from log import LogError, Record, TopicConfig, TopicPartition
from log.kafka import KafkaLog
from log.reading import records_of
from ops.alerts.looking import look
from pipelines.errors import PipelineError
from pipelines.jobs.extract import extract
from pipelines.tables.store.store import store_of
from tests.brokers import cluster, on_kafka
from tests.log.kafka.faults.misfortunes import (
    Misfortune,
    all_in_sync,
    begin,
    bounce,
    elect_preferred,
    ended,
    grown,
    kill,
    move,
    pid,
    stop_for_a_while,
    until,
)
from tests.log.kafka.faults.senders import Publishers, check_tables, judged

GROUP = "extract"
REST_S = 0.2  # so that a run does not grow with the one before


@pytest.fixture(scope="module")
def three() -> Iterator[Path]:
    """The folder of a cluster of three brokers."""
    with cluster(3) as home:
        yield home


@pytest.fixture
def on_three(options: LogSettings, three: Path) -> LogSettings:
    """Settings for a log of theirs."""
    return on_kafka(options, three)


@pytest.fixture
def log(on_three: LogSettings) -> Iterator[KafkaLog]:
    with closing(KafkaLog(on_three)) as opened:
        yield opened


@pytest.fixture
def extracting(settings: conf.Settings, on_three: LogSettings) -> conf.Settings:
    """Settings for jobs on it, by Spark, with tables of their own."""
    return replace(settings, log=on_three, extract=replace(settings.extract, small_mails=0))


def run_rounds(log: KafkaLog, home: Path, topic: str, rounds: int) -> tuple[int, int, int]:
    """Mails acknowledged, lost, and doubled, over so many rounds of one broker's misfortune each."""
    log.create_topic(topic, 3, TopicConfig(mail=True))
    with Publishers(log, topic) as publishers:
        for each in range(rounds):
            before = publishers.count
            until(lambda before=before: publishers.count > before + 20)  # type: ignore[misc]
            (kill, stop_for_a_while, bounce)[each % 3](log, home, topic)
    return judged(log, topic, publishers)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_over_a_hundred_brokers_that_die_stop_or_are_bounced_no_acknowledged_mail_is_lost(
    log: KafkaLog, three: Path, record_property: Callable[[str, object], None]
) -> None:
    acknowledged, lost, doubled = run_rounds(log, three, f"mails-{random.randrange(10**6)}", 100)
    record_property("count", f"Kafka, 100 rounds: {acknowledged} mails, {lost} lost, {doubled} twice")
    assert lost == 0


@pytest.mark.slow
def test_with_two_brokers_of_three_away_nothing_is_acknowledged_and_reads_are_told(log: KafkaLog, three: Path) -> None:
    topic = f"mails-{random.randrange(10**6)}"
    log.create_topic(topic, 1, TopicConfig(mail=True))
    log.append(topic, [Record(b"desk", b"before")])
    away = [2, 3]
    for broker in away:
        os.kill(pid(three, broker), signal.SIGSTOP)
    try:
        with pytest.raises(LogError) as raised:
            log.append(topic, [Record(b"desk", b"meanwhile")], 0)
        assert raised.value.retriable
    finally:
        for broker in away:
            os.kill(pid(three, broker), signal.SIGCONT)
    until(lambda: all_in_sync(log, topic))
    until(lambda: log.append(topic, [Record(b"desk", b"after")]))
    values = [each.value for each in records_of(log, TopicPartition(topic, 0))]
    assert values[0] == b"before"
    assert values[-1] == b"after"


@pytest.mark.slow
def test_a_broker_that_dies_is_an_alarm_once_and_resolved_when_all_its_copies_are_in_sync_again(
    settings: conf.Settings, on_three: LogSettings, log: KafkaLog, three: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topic, looked = f"mails-{random.randrange(10**6)}", datetime.now(UTC)
    log.create_topic(topic, 3, TopicConfig(mail=True))

    def told(looks: int) -> list[str]:
        nonlocal looked
        for _ in range(looks):
            looked += timedelta(minutes=1)
            look(replace(settings, log=on_three), looked)
        lines = capsys.readouterr().out.splitlines()
        return [line.partition(": ")[0] for line in lines if " replica 3: " in f" {line.partition(': ')[2]}"]

    def is_whole() -> bool:
        return all_in_sync(log, topic) and all(each.in_sync == each.partitions for each in log.replicas())

    until(is_whole)
    assert told(2) == []
    ended(three, 3, signal.SIGKILL)
    try:
        until(lambda: not all_in_sync(log, topic))
        assert told(3) == ["firing"]
    finally:
        begin(three, 3)
    until(is_whole)
    assert told(3) == ["resolved"]


class Extraction:
    """One run of the group after another, in a thread; what ended one must be such that the next may do."""

    def __init__(self, settings: conf.Settings, log: KafkaLog, topic: str) -> None:
        self._settings, self._log, self._topic = settings, log, topic
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._failed: Exception | None = None
        self.store = store_of(settings.tables)
        self.runs = 0
        self.cut_off: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def await_run(self) -> None:
        """Return amid one: its plan is made, and its records are being read."""
        until(lambda: self._failed or self.store.list("_staging"))

    def finish(self) -> None:
        """Read what is left, after the end."""
        if self._failed:
            raise self._failed
        while self._once():
            pass

    def _run(self) -> None:
        while not self._end.is_set() and not self._failed:
            try:
                self._once()
            except (LogError, PipelineError) as error:
                if error.retriable:
                    self.cut_off[type(error).__name__] += 1
                else:
                    self._failed = error

    def _once(self) -> bool:
        summary = extract(self._settings, self._log, GROUP, self._topic, 1000)
        self.runs += summary is not None
        return summary is not None


def extracted_amid(settings: conf.Settings, log: KafkaLog, home: Path, misfortunes: list[Misfortune]) -> str:
    """Each befalls the brokers amid a run of an extraction, while mails are published; a fourth one joins before.

    What was counted, in words. Nothing is lost in the log or the tables, and the views show each mail once.
    """
    topic = f"mails-{random.randrange(10**6)}"
    log.create_topic(topic, 3, TopicConfig(mail=True))
    with ExitStack() as stack:
        reader = stack.enter_context(closing(KafkaLog(settings.log)))
        with Publishers(log, topic, REST_S) as publishers, Extraction(settings, reader, topic) as extraction:
            until(lambda: extraction.runs)
            stack.enter_context(grown(home))
            for befall in misfortunes:
                extraction.await_run()
                befall(log, home, topic)
        extraction.finish()
        acknowledged, lost, doubled = judged(log, topic, publishers)
        assert lost == 0
        check_tables(log, topic, extraction.store, publishers)
    return (
        f"{acknowledged} mails, {lost} lost, {doubled} twice in the log and once in the views; "
        f"{extraction.runs} runs, {dict(extraction.cut_off)} cut off"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("spark")
@pytest.mark.timeout(600)
def test_whichever_broker_dies_stops_or_joins_and_whatever_moves_each_mail_is_in_the_log_and_shown_once(
    extracting: conf.Settings, log: KafkaLog, three: Path, record_property: Callable[[str, object], None]
) -> None:
    told = extracted_amid(extracting, log, three, [kill, move, stop_for_a_while, elect_preferred, bounce])
    record_property("count", f"Kafka, extraction while brokers die, stop, join and lead: {told}")


@pytest.mark.soak
@pytest.mark.usefixtures("spark")
@pytest.mark.timeout(7200)
def test_a_hundred_rounds_of_it_lose_nothing_and_show_nothing_twice(
    extracting: conf.Settings, log: KafkaLog, three: Path, record_property: Callable[[str, object], None]
) -> None:
    rounds: list[Misfortune] = [kill, move, stop_for_a_while, elect_preferred, bounce] * 20
    told = extracted_amid(extracting, log, three, rounds)
    record_property("count", f"Kafka, extraction over 100 rounds of brokers that die, join and lead: {told}")
