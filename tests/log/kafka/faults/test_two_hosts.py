"""Two hosts that read by one group, and a rewind of it: as if on other machines, in network namespaces of their own."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from log import Record, TopicPartition
from log.groups import GROUPS_PARTITION, GroupOffsets, offset_of
from log.kafka import KafkaLog
from log.reading import records_of
from tests.brokers import ROOT, addresses
from tests.log.kafka.faults.host import STEP
from tests.namespaces import PREFIX, Relay, namespaces_or_skip
from tests.processes import killed_at_the_end

HOST = Path(__file__).with_name("host.py")
Host = subprocess.Popen[str]


@pytest.fixture
def hosts(brokers: Path, tmp_path: Path) -> Iterator[list[Host]]:
    """Two, each in a namespace, that reach the broker."""
    namespaces_or_skip()
    bootstrap = addresses(brokers)
    with ExitStack() as stack:
        relay = Relay(int(bootstrap.rpartition(":")[2]))
        stack.callback(relay.close)

        def begun(number: int) -> Host:
            with relay.channel() as channel:
                command = [*PREFIX, sys.executable, str(HOST), str(channel), bootstrap, str(tmp_path / f"host{number}")]
                environ = os.environ | {"PYTHONPATH": str(ROOT)}
                pipe = subprocess.PIPE
                host = subprocess.Popen(
                    command, pass_fds=[channel], env=environ, stdin=pipe, stdout=pipe, text=True, cwd=tmp_path
                )
                return stack.enter_context(killed_at_the_end(host))

        yield [begun(1), begun(2)]


def rounds(log: KafkaLog, topic: str, hosts: list[Host], count: int) -> Counter[str]:
    """What became of the hosts' commits and rewinds in so many rounds, each of which begins on both at once."""
    group, source = f"extract-{uuid.uuid4().hex[:8]}", TopicPartition(topic, 0)
    log.append(topic, [Record(None, b"value") for _ in range(1000)])
    log.commit(group, {source: 0})
    became: Counter[str] = Counter()
    for _ in range(count):
        for number, host in enumerate(hosts):
            asked: dict[str, Any] = {"group": group, "topic": topic}
            asked |= {"rewind": random.randrange(100)} if number else {}
            assert host.stdin
            host.stdin.write(json.dumps(asked) + "\n")
            host.stdin.flush()
        for host in hosts:
            assert host.stdout
            became.update(each["did"] for each in json.loads(host.stdout.readline()))
    check_history(log, group)
    return became


def check_history(log: KafkaLog, group: str) -> None:
    """Each change follows on the one before: takes stay where it stood, commits go on from there, moves say where to."""
    moves = GroupOffsets(log).moves(group)
    offset, generation = 0, 0
    for record in records_of(log, GROUPS_PARTITION):
        told = offset_of(record)
        if told is None or told[0] != group:
            continue
        now = told[2]
        if now.generation in moves:
            expected = moves[now.generation]["moves"][0]["to"] if now.generation > generation else offset + STEP
        else:
            expected = offset if now.generation > generation else offset + STEP
        if (offset, generation) != (0, 0) or now.generation:
            assert now.generation >= generation
            assert now.offset == expected, f"{now} behind offset {offset} of generation {generation}"
        offset, generation = now.offset, now.generation


def check_counts(became: Counter[str], count: int) -> None:
    assert became["moved"] == count
    assert became["committed"] + became["told"] == 2 * count
    assert became["told"] > 0, "somebody was too late"
    assert became["committed"] > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_of_two_hosts_and_a_rewind_the_last_to_take_the_group_wins_and_the_other_is_told(
    kafka: KafkaLog, topic: str, hosts: list[Host], record_property: Callable[[str, object], None]
) -> None:
    became = rounds(kafka, topic, hosts, 12)
    record_property("count", f"Kafka, two hosts and a rewind of a group, 12 rounds: {dict(became)}")
    check_counts(became, 12)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_two_hundred_rounds_of_it_skip_no_offset(
    kafka: KafkaLog, topic: str, hosts: list[Host], record_property: Callable[[str, object], None]
) -> None:
    became = rounds(kafka, topic, hosts, 200)
    record_property("count", f"Kafka, two hosts and a rewind of a group, 200 rounds: {dict(became)}")
    check_counts(became, 200)
