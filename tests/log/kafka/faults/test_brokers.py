"""Three brokers, three copies, two of which must have a record: one of them at a time dies, stops, comes back."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import pytest

from conf.settings import LogSettings
from log import LogError, Record, TopicConfig, TopicPartition
from log.kafka import KafkaLog
from log.reading import partition_for, records_of, sources_of
from tests.brokers import ROOT, cluster, on_kafka

SENDERS = 6
WAIT_S = 120


@pytest.fixture(scope="module")
def three() -> Iterator[Path]:
    """The folder of a cluster of three brokers."""
    with cluster(3) as home:
        yield home


@pytest.fixture
def log(options: LogSettings, three: Path) -> Iterator[KafkaLog]:
    opened = KafkaLog(on_kafka(options, three))
    yield opened
    opened.close()


class Publishers:
    """Senders whose mails are numbered; each is sent again until it is acknowledged, looked for before, as ingest does."""

    def __init__(self, log: KafkaLog, topic: str) -> None:
        self._log, self._topic = log, topic
        self._end = threading.Event()
        self.acknowledged: dict[bytes, list[int]] = defaultdict(list)
        senders = [b"desk%d" % number for number in range(SENDERS)]
        self._sources = {sender: partition_for(log, topic, sender) for sender in senders}
        self._threads = [threading.Thread(target=self._run, args=(sender,)) for sender in senders]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()

    @property
    def count(self) -> int:
        """Of acknowledged mails."""
        return sum(map(len, self.acknowledged.values()))

    def _run(self, sender: bytes) -> None:
        number = 0
        while not self._end.is_set():
            if self._sent(sender, number):
                self.acknowledged[sender].append(number)
                number += 1

    def _sent(self, sender: bytes, number: int) -> bool:
        source, value = self._sources[sender], b"%s %d" % (sender, number)
        tried = False

        def choose(_: object) -> dict[str, list[Record]]:
            start = max(0, self._log.span(source).stop - 200)
            there = tried and any(each.value == value for each in records_of(self._log, source, start))
            return {} if there else {self._topic: [Record(sender, value)]}

        while not self._end.is_set():
            with contextlib.suppress(LogError):
                self._log.append_new([source], choose)
                return True
            tried = True
            time.sleep(0.1)
        return False


def pid(home: Path, broker: int) -> int:
    return int((home / str(broker) / "pid").read_text())


def begin(home: Path, broker: int) -> None:
    """Start a broker again, or the first time; it is there when this returns."""
    script = '. scripts/lib/kafka.sh; begin "$1" "$2"'
    subprocess.run(["sh", "-c", script, "sh", str(home), str(broker)], cwd=ROOT, check=True, timeout=120)


def until(is_so: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not _quietly(is_so):
        assert time.monotonic() < deadline
        time.sleep(0.2)


def _quietly(is_so: Callable[[], object]) -> object:
    try:
        return is_so()
    except LogError:
        return False


def all_in_sync(log: KafkaLog, topic: str, copies: int = 3) -> bool:
    return all(len(each.isr) == copies for each in log.describe(topic))


def kill(home: Path, broker: int) -> None:
    """As a machine that loses its power."""
    os.kill(pid(home, broker), signal.SIGKILL)
    until(lambda: not Path(f"/proc/{pid(home, broker)}").exists() or _is_zombie(pid(home, broker)))
    begin(home, broker)


def _is_zombie(process: int) -> bool:
    return "Z" in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def stop_for_a_while(home: Path, broker: int) -> None:
    """Longer than its session with the others."""
    os.kill(pid(home, broker), signal.SIGSTOP)
    time.sleep(6)
    os.kill(pid(home, broker), signal.SIGCONT)


def bounce(home: Path, broker: int) -> None:
    """An orderly end, and a start."""
    os.kill(pid(home, broker), signal.SIGTERM)
    until(lambda: not Path(f"/proc/{pid(home, broker)}").exists() or _is_zombie(pid(home, broker)))
    begin(home, broker)


def leader_of(log: KafkaLog, topic: str) -> int:
    """The number of the broker that leads the topic's first partition."""
    leader = log.describe(topic)[0].leader
    return next(each.replica for each in log.replicas() if each.folder == leader)


def run_rounds(log: KafkaLog, home: Path, topic: str, rounds: int) -> tuple[int, int, int]:
    """Mails acknowledged, lost, and doubled, over so many rounds of one broker's misfortune each."""
    log.create_topic(topic, 3, TopicConfig(mail=True))
    with Publishers(log, topic) as publishers:
        for each in range(rounds):
            before = publishers.count
            until(lambda before=before: publishers.count > before + 20)  # type: ignore[misc]
            leaders: list[int] = []
            until(lambda leaders=leaders: leaders.append(leader_of(log, topic)) or leaders)  # type: ignore[misc]
            (kill, stop_for_a_while, bounce)[each % 3](home, leaders[0])
            until(lambda: all_in_sync(log, topic))
    return judged(log, topic, publishers)


def judged(log: KafkaLog, topic: str, publishers: Publishers) -> tuple[int, int, int]:
    """What the log has of what was acknowledged; a sender's mails are in order."""
    found: dict[bytes, list[int]] = defaultdict(list)
    for source in sources_of(log, topic):
        for record in records_of(log, source):
            found[record.key or b""].append(int((record.value or b"").split()[1]))
    lost = sum(len(set(numbers) - set(found[sender])) for sender, numbers in publishers.acknowledged.items())
    doubled = sum(len(numbers) - len(set(numbers)) for numbers in found.values())
    for numbers in found.values():
        first = list(dict.fromkeys(numbers))
        assert first == sorted(first), "each sender's mails are in their order"
    return publishers.count, lost, doubled


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_whichever_broker_dies_stops_or_is_bounced_no_acknowledged_mail_is_lost(
    log: KafkaLog, three: Path, record_property: Callable[[str, object], None]
) -> None:
    acknowledged, lost, doubled = run_rounds(log, three, f"mails-{random.randrange(10**6)}", 3)
    record_property(
        "count", f"Kafka, a broker killed, stopped, bounced: {acknowledged} mails, {lost} lost, {doubled} twice"
    )
    assert acknowledged > 60
    assert lost == 0


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_hundred_rounds_of_it_lose_nothing(
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
