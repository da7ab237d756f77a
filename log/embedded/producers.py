"""Producers that may repeat an append without storing it twice.

    producer = register(log, "importer")
    positions = log.append("mails", records, producer=producer)       # and again, as often as need be, until it returns

A producer numbers its records in each partition. An append whose numbers a partition has already is not stored again:
it returns the first offsets. That holds over restarts of the log. A producer that restarts itself and wants to repeat
its last append keeps `producer.next` with its own work; otherwise it registers again, under its name: then it is of a
later epoch, and what is left of the former one is fenced off.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from log.errors import TopicExists
from log.reading import records_of
from log.types import Producer, Record, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from log.embedded.open_log import OpenedLog

PRODUCERS_TOPIC = "__otclog_producers"  # key: a producer's name; value: {"epoch":0,"id":7}, the latest holds
PRODUCERS_PARTITION = TopicPartition(PRODUCERS_TOPIC, 0)
MAX_EPOCH = 2**15 - 1  # 16 bits in a batch


def register(log: OpenedLog, name: str) -> Producer:
    """A producer of that name, durably: with a new id the first time, then with the same one and the next epoch."""
    if PRODUCERS_TOPIC not in log.topics():
        with contextlib.suppress(TopicExists):  # another process was first
            log.create_topic(PRODUCERS_TOPIC, 1, TopicConfig(cleanup="compact"))
    with log.exclusive(PRODUCERS_PARTITION):
        known, end = _last(log, name)
        if known is None or known.epoch == MAX_EPOCH:
            producer = Producer(end, 0)
        else:
            producer = Producer(known.id, known.epoch + 1)
        value = json.dumps({"epoch": producer.epoch, "id": producer.id}, sort_keys=True).encode("ascii")
        log.append(PRODUCERS_TOPIC, [Record(name.encode(), value)])
    return producer


def _last(log: OpenedLog, name: str) -> tuple[Producer | None, int]:
    """What was registered last, and an id that nobody had: the offset of the registration to come."""
    found = None
    for record in records_of(log, PRODUCERS_PARTITION):
        if record.key == name.encode():
            found = Producer(**json.loads(record.value or b"{}"))
    return found, log.span(PRODUCERS_PARTITION).stop
