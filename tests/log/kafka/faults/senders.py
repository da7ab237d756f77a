"""Senders whose mails are numbered, and what became of what was acknowledged: in the log, and in the tables."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Self

from log import LogError, Record
from log.kafka import KafkaLog
from log.reading import records_of, sources_of
from pipelines.readers.prices import prices
from pipelines.tables.publication import latest, table_of
from pipelines.tables.store.interface import Store
from tests.partitions import partition_for

SENDERS = 6
_NUMBER = re.compile(rb"^Subject: run (\d+)$", re.MULTILINE)


def mail(sender: bytes, number: int) -> bytes:
    """One with a price."""
    return b"From: %s\nSubject: run %d\n\nBLDR 6.375 06/32 102.25/102.75\n" % (sender, number)


def number_of(value: bytes) -> int:
    found = _NUMBER.search(value)
    assert found is not None
    return int(found[1])


class Publishers:
    """Each mail is sent again until it is acknowledged, looked for before, as ingest does."""

    def __init__(self, log: KafkaLog, topic: str, rest_s: float = 0) -> None:
        """`rest_s`: between a sender's mails."""
        self._log, self._topic, self._rest_s = log, topic, rest_s
        self._end = threading.Event()
        self.acknowledged: dict[bytes, list[int]] = defaultdict(list)
        senders = [b"desk%d@bank.example" % number for number in range(SENDERS)]
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
        while not self._end.wait(self._rest_s):
            if self._sent(sender, number):
                self.acknowledged[sender].append(number)
                number += 1

    def _sent(self, sender: bytes, number: int) -> bool:
        source, value = self._sources[sender], mail(sender, number)
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


def judged(log: KafkaLog, topic: str, publishers: Publishers) -> tuple[int, int, int]:
    """Mails acknowledged, of those lost, and doubled, in the log; a sender's mails are in order."""
    found: dict[bytes, list[int]] = defaultdict(list)
    for source in sources_of(log, topic):
        for record in records_of(log, source):
            found[record.key or b""].append(number_of(record.value or b""))
    lost = sum(len(set(numbers) - set(found[sender])) for sender, numbers in publishers.acknowledged.items())
    doubled = sum(len(numbers) - len(set(numbers)) for numbers in found.values())
    for numbers in found.values():
        assert_in_order(numbers)
    return publishers.count, lost, doubled


def assert_in_order(numbers: Iterable[int]) -> None:
    first = list(dict.fromkeys(numbers))
    assert first == sorted(first), "each sender's mails are in their order"


def check_tables(log: KafkaLog, topic: str, store: Store, publishers: Publishers) -> None:
    """Each record is a mail of the tables, in its place and once; each acknowledged mail's price is shown once."""
    places = ["log_partition", "log_offset"]
    table = table_of(store, latest(store), "mails").to_pyarrow_dataset().to_table([*places, "sender", "subject"])
    rows = table.sort_by([(name, "ascending") for name in places]).to_pylist()
    logged = [(source.partition, each.offset) for source in sources_of(log, topic) for each in records_of(log, source)]
    assert [(row["log_partition"], row["log_offset"]) for row in rows] == sorted(logged)
    told = defaultdict(list)
    for row in rows:
        told[row["sender"].encode()].append(int(row["subject"].removeprefix("run ")))
    for numbers in told.values():
        assert_in_order(numbers)
    shown = Counter((row["sender"].encode(), int(row["subject"].removeprefix("run "))) for row in prices(store, {}))
    assert set(shown.values()) == {1}
    for sender, numbers in publishers.acknowledged.items():
        assert {(sender, number) for number in numbers} <= shown.keys()
