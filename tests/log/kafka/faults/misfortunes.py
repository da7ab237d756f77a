"""What befalls a cluster of three brokers: each returns when the topic has all of its copies again.

The brokers' first topic partition says who is hit: its leader, whom clients are talking to.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from log import LogError
from log.groups import GROUPS_TOPIC
from log.kafka import KafkaLog
from tests.brokers import KAFKAS_OWN, ROOT, addresses

COPIES = 3
WAIT_S = 120
FOURTH = 4  # the broker that joins later

Misfortune = Callable[[KafkaLog, Path, str], None]


def pid(home: Path, broker: int) -> int:
    return int((home / str(broker) / "pid").read_text())


def begin(home: Path, broker: int) -> None:
    """Start a broker again, or the first time."""
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
    except (LogError, KafkaException):
        return False


def all_in_sync(log: KafkaLog, topic: str) -> bool:
    return all(len(each.isr) == COPIES for each in log.describe(topic))


def leader_of(log: KafkaLog, topic: str) -> int:
    """The number of the broker that leads the topic's first partition."""
    found: list[int] = []

    def look() -> bool:
        leader = log.describe(topic)[0].leader
        found.extend(each.replica for each in log.replicas() if each.folder == leader)
        return bool(found)

    until(look)
    return found[0]


def kill(log: KafkaLog, home: Path, topic: str) -> None:
    """As a machine that loses its power, and starts again."""
    ended(home, broker := leader_of(log, topic), signal.SIGKILL)
    begin(home, broker)
    until(lambda: all_in_sync(log, topic))


def stop_for_a_while(log: KafkaLog, home: Path, topic: str) -> None:
    """Longer than its session with the others."""
    stopped = pid(home, leader_of(log, topic))
    os.kill(stopped, signal.SIGSTOP)
    time.sleep(6)
    os.kill(stopped, signal.SIGCONT)
    until(lambda: all_in_sync(log, topic))


def bounce(log: KafkaLog, home: Path, topic: str) -> None:
    """An orderly end, and a start."""
    ended(home, broker := leader_of(log, topic), signal.SIGTERM)
    begin(home, broker)
    until(lambda: all_in_sync(log, topic))


def ended(home: Path, broker: int, by: signal.Signals) -> None:
    """Send a broker the signal that ends it; it is gone when this returns."""
    process = pid(home, broker)
    os.kill(process, by)
    until(lambda: not Path(f"/proc/{process}").exists() or _is_zombie(process))


def _is_zombie(process: int) -> bool:
    try:
        return "Z" in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it was forgotten since
        return True


@contextmanager
def grown(home: Path) -> Iterator[None]:
    """With the fourth broker, which joins while the others work."""
    begin(home, FOURTH)
    try:
        client = AdminClient({"bootstrap.servers": addresses(home)})
        until(lambda: len(client.list_topics(timeout=5).brokers) == FOURTH)
        yield
    finally:
        ended(home, FOURTH, signal.SIGTERM)


def move(log: KafkaLog, home: Path, topic: str) -> None:
    """Each partition of all topics, Kafka's own among them, onto three of the four brokers, by Kafka's tool."""
    names = [topic, GROUPS_TOPIC, *sorted(KAFKAS_OWN - {"__share_group_state", "__cluster_metadata"})]
    counts: dict[str, int] = {}
    until(lambda: counts.update((name, log.partition_count(name)) for name in names) or counts)
    wanted = {
        (name, number): random.sample(range(1, FOURTH + 1), COPIES)
        for name, count in counts.items()
        for number in range(count)
    }
    wanted[topic, 0][0] = FOURTH if FOURTH not in wanted[topic, 0] else wanted[topic, 0][0]
    plan = [{"topic": name, "partition": number, "replicas": on} for (name, number), on in wanted.items()]
    (home / "moves.json").write_text(json.dumps({"version": 1, "partitions": plan}))
    words = ["--reassignment-json-file", str(home / "moves.json"), "--execute"]
    until(lambda: _tool(home, "reassign.ReassignPartitionsCommand", *words))
    there = {number: {_address(home, each) for each in wanted[topic, number]} for number in range(counts[topic])}
    until(lambda: all({*each.isr} == {*each.replicas} == there[each.partition] for each in log.describe(topic)))


def _address(home: Path, broker: int) -> str:
    return f"127.0.0.1:{(home / str(broker) / 'ports').read_text().split()[0]}"


def elect_preferred(log: KafkaLog, home: Path, topic: str) -> None:
    """Each partition is led by the first broker of its list again."""
    until(lambda: _tool(home, "LeaderElectionCommand", "--election-type", "preferred", "--all-topic-partitions"))
    until(lambda: all(each.leader == each.replicas[0] for each in log.describe(topic)))


def _tool(home: Path, name: str, *words: str) -> bool:
    """One of Kafka's own; whether it did what it was to, for all partitions."""
    script = '. scripts/lib/kafka.sh; java_of_kafka 64m "org.apache.kafka.tools.$@"'
    command = ["sh", "-c", script, "sh", name, "--bootstrap-server", addresses(home), *words]
    return subprocess.run(command, cwd=ROOT, timeout=WAIT_S, capture_output=True, check=False).returncode == 0
