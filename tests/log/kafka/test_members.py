from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.consumers.consumer import Consumer
from log.kafka import KafkaLog

pytestmark = pytest.mark.slow

WAIT_S = 60  # at most, on a busy machine

MEMBER = """
import json, sys
from pathlib import Path
from conf.settings import KafkaSettings
from log.consumers.consumer import Consumer
from log.errors import GroupFenced
from log.kafka import KafkaLog
from types import SimpleNamespace

given = json.loads(sys.argv[1])
options = SimpleNamespace(root=Path(given["root"]), inline_max_bytes=1000, kafka=KafkaSettings(bootstrap=given["bootstrap"]))
consumer = Consumer(KafkaLog(options), sys.argv[2], [sys.argv[3]], rebalance_s=0)
while not consumer.poll(0.1):
    pass
print("read", flush=True)
sys.stdin.readline()
try:
    consumer.commit()
    print("committed", flush=True)
except GroupFenced as error:
    print("fenced", flush=True)
"""


@pytest.fixture
def group() -> str:
    """One that no other test has."""
    return f"desk-{uuid.uuid4().hex[:8]}"


def until(is_so: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_who_reads_what_is_seen_from_anywhere_and_gone_with_who_leaves(kafka: KafkaLog, topic: str, group: str) -> None:
    assert kafka.members(group) == []
    with Consumer(kafka, group, [topic], rebalance_s=0) as consumer:
        until(lambda: consumer.poll() or consumer.assignment)
        until(lambda: kafka.members(group)[0].reads)
        (member,) = kafka.members(group)
        assert (member.process, member.host, member.topics) == (os.getpid(), socket.gethostname(), (topic,))
        assert member.reads == (TopicPartition(topic, 0),)
    until(lambda: kafka.members(group) == [])


def test_a_member_that_was_stopped_for_too_long_cannot_commit_what_another_one_has(
    kafka: KafkaLog,
    topic: str,
    group: str,
    on_brokers: LogSettings,
    spawn: Callable[..., subprocess.Popen[str]],
) -> None:
    source = TopicPartition(topic, 0)
    kafka.append(topic, [Record(None, b"%d" % number) for number in range(5)])
    given = json.dumps({"root": str(on_brokers.root), **dataclasses.asdict(on_brokers.kafka)})
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = spawn([sys.executable, "-c", MEMBER, given, group, topic], **pipes)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "read\n"
    os.kill(process.pid, signal.SIGSTOP)
    with Consumer(kafka, group, [topic], rebalance_s=0) as other:
        until(lambda: other.poll(0.1))
        other.commit({source: 2})
        os.kill(process.pid, signal.SIGCONT)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "fenced\n"
    assert kafka.committed(group) == {source: 2}
