"""Kafka for tests: one broker for all tests of a process, begun when the first of them asks for it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient

from conf.settings import KafkaSettings, LogSettings

ROOT = Path(__file__).parent.parent
KAFKAS_OWN = {"__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata"}
START_S = 240  # on a busy machine


@contextmanager
def cluster(brokers: int, *options: str) -> Iterator[Path]:
    """So many brokers, in a folder of their own; `addresses` in it says where they listen."""
    if not shutil.which("java") or not (ROOT / ".jars" / "kafka").is_dir():
        pytest.skip("needs java and Kafka's jars: scripts/setup")
    with tempfile.TemporaryDirectory(prefix="otclog-kafka-") as place:
        home = Path(place) / "kafka"
        try:
            command = [str(ROOT / "scripts" / "kafka-up"), str(brokers), *options, str(home)]
            subprocess.run(command, check=True, timeout=START_S, capture_output=True)
            yield home
        finally:
            subprocess.run([ROOT / "scripts" / "kafka-down", home], check=True, timeout=60)


def emptied(home: Path) -> None:
    """No topics but Kafka's own, and no groups: as a new cluster, without its start."""
    client = AdminClient({"bootstrap.servers": addresses(home)})
    topics = sorted(set(client.list_topics(timeout=10).topics) - KAFKAS_OWN)
    for deleted in client.delete_topics(topics, operation_timeout=10).values() if topics else ():
        deleted.result()


def addresses(home: Path) -> str:
    """Where the brokers of a cluster listen."""
    return (home / "addresses").read_text().strip()


def on_kafka(options: LogSettings, home: Path) -> LogSettings:
    """The same settings for a log of these brokers."""
    return replace(
        options,
        backend="kafka",
        root=options.root.parent / f"here-{uuid.uuid4().hex[:6]}",
        inline_max_bytes=786_432,
        claims=(options.root.parent / "claims",),
        kafka=KafkaSettings(bootstrap=addresses(home)),
    )
