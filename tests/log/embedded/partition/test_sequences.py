from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterator

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.producers import register
from log.embedded.segment.names import segment_file
from log.types import Producer
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(5)


def many(log: EmbeddedLog, count: int) -> dict[int, Producer]:
    """Appends of some producers in turn; each as it was before its last one."""
    producers = {number: Producer(number, 0) for number in range(3)}
    before = {}
    for number in range(count):
        producer = producers[number % 3]
        before[producer.id] = dataclasses.replace(producer, next=dict(producer.next))
        log.append("mails", [Record(None, b"%d" % number * 50) for _ in range(1 + number % 2)], producer=producer)
    return before


def test_the_last_appends_are_known_out_of_snapshots(open_embedded: OpenLog, options: LogSettings) -> None:
    log = open_embedded(segment_bytes=1500, compression="none")
    log.create_topic("mails", 1)
    before = many(log, 60)
    end = log.span(SOURCE).stop
    folder = options.replicas[0] / "mails-0"
    assert len(list(folder.glob("*.snapshot"))) == 2
    log.close()
    for spoil in (None, b"", b"no snapshot at all, and longer than a head"):
        for path in folder.glob("*.snapshot"):
            path.write_bytes(path.read_bytes() if spoil is None else spoil)
        log = open_embedded(segment_bytes=1500, compression="none")
        for number, producer in before.items():
            last = 57 + number
            repeated = dataclasses.replace(producer, next=dict(producer.next))
            log.append("mails", [Record(None, b"%d" % last * 50) for _ in range(1 + last % 2)], producer=repeated)
        assert log.span(SOURCE).stop == end
        log.close()


@pytest.mark.parametrize("place", [0, 50], ids=["base offset", "producer's numbers"])
def test_a_damaged_leader_does_not_hide_what_a_producer_wrote(
    open_embedded: OpenLog, options: LogSettings, place: int
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    producer = Producer(7, 0)
    log.append("mails", [Record(None, b"a")], producer=producer)
    before = dataclasses.replace(producer, next=dict(producer.next))
    (first,) = log.append("mails", [Record(None, b"b")], producer=producer)
    path = segment_file(options.replicas[0] / "mails-0", 0)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2 + place] ^= 32  # in the second batch, as long as the first one
    path.write_bytes(damaged)
    again = open_embedded(compression="none")
    assert again.append("mails", [Record(None, b"b")], producer=before) == [first]
    assert [at.offset for at in again.append("mails", [Record(None, b"c")], producer=before)] == [2]


def test_nor_does_damage_with_a_whole_segment_behind_it(open_embedded: OpenLog, options: LogSettings) -> None:
    log = open_embedded(compression="none", segment_bytes=100)
    log.create_topic("mails", 1)
    producer = Producer(7, 0)
    log.append("mails", [Record(None, b"a")], producer=producer)
    before = dataclasses.replace(producer, next=dict(producer.next))
    (first,) = log.append("mails", [Record(None, b"b")], producer=producer)
    log.append("mails", [Record(None, b"of nobody")])
    path = segment_file(options.replicas[0] / "mails-0", 1)
    path.write_bytes(bytes(byte ^ 32 if place == 0 else byte for place, byte in enumerate(path.read_bytes())))
    again = open_embedded(compression="none", segment_bytes=100)
    assert again.append("mails", [Record(None, b"b")], producer=before) == [first]


def test_a_leader_that_lost_its_oldest_segments_does_not_hide_what_a_producer_wrote(
    open_embedded: OpenLog, options: LogSettings
) -> None:
    log = open_embedded(compression="none", segment_bytes=100)
    log.create_topic("mails", 1)
    (first,) = log.append("mails", [Record(None, b"a")], producer=Producer(7, 0))
    log.append("mails", [Record(None, b"of nobody")])
    log.close()
    segment_file(options.replicas[0] / "mails-0", 0).unlink()
    for snapshot in (options.replicas[0] / "mails-0").glob("*.snapshot"):
        snapshot.unlink()
    again = open_embedded(compression="none", segment_bytes=100)
    assert again.append("mails", [Record(None, b"a")], producer=Producer(7, 0)) == [first]


@pytest.mark.parametrize("copy", [0, 2], ids=["the first", "one whose neighbours are done"])
def test_deleting_records_of_a_damaged_copy_does_not_forget_what_a_producer_wrote(
    open_embedded: OpenLog, options: LogSettings, copy: int
) -> None:
    log = open_embedded(compression="none", segment_bytes=1000)
    log.create_topic("mails", 1)
    producer = Producer(7, 0)
    first = log.append("mails", [Record(None, b"a")], producer=producer)
    for _ in range(4):
        log.append("mails", [Record(None, b"." * 900)])
    path = segment_file(options.replicas[copy] / "mails-0", 0)
    damaged = bytearray(path.read_bytes())
    damaged[50] ^= 32
    path.write_bytes(damaged)
    assert log.delete_records(SOURCE, 4) == 4
    assert not path.exists()
    log.close()
    again = open_embedded(compression="none", segment_bytes=1000)
    assert again.append("mails", [Record(None, b"a")], producer=Producer(7, 0)) == first


def test_what_was_cut_off_is_not_taken_for_stored(embedded: EmbeddedLog, monkeypatch: pytest.MonkeyPatch) -> None:
    producer = Producer(7, 0)
    embedded.append("mails", [Record(None, b"a")], producer=producer)

    def fail(*_: object) -> None:
        raise RuntimeError("here")

    monkeypatch.setattr("log.embedded.partition.flushing.Flusher.flush", fail)
    with pytest.raises(RuntimeError, match="here"):
        embedded.append("mails", [Record(None, b"b")], producer=producer)
    monkeypatch.undo()
    embedded.append("mails", [Record(None, b"other")])
    embedded.append("mails", [Record(None, b"b")], producer=producer)
    assert [record.value for record in embedded.read(SOURCE, 0, 100)] == [b"a", b"other", b"b"]


@EVERY_STEP
def test_an_append_repeated_after_a_death_is_stored_once(
    options: LogSettings, each_death: Callable[..., Iterator[bool]], every: int
) -> None:
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas, segment_bytes=1000, compression="none")
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    producer = Producer(7, 0)
    log.append("mails", [Record(None, b"before" * 100)], producer=producer)
    log.close()
    records = [Record(None, b"%d" % number * 200) for number in range(3)]

    def append() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return lambda: dying.append("mails", records, producer=producer)

    for _ in each_death(options.root, append, every):
        log = EmbeddedLog(options)
        log.append("mails", records, producer=dataclasses.replace(producer, next=dict(producer.next)))
        stored = log.read(SOURCE, 0, 2**20)
        assert [record.value for record in stored[1:]] == [record.value for record in records]
        log.close()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("leader_dies", [False, True])
def test_a_producers_numbers_go_on_when_its_last_batch_was_deleted(
    open_embedded: Callable[..., EmbeddedLog], options: LogSettings, restarted: bool, leader_dies: bool
) -> None:
    log = open_embedded(segment_bytes=100)  # each append begins a segment
    log.create_topic("mails", 1)
    producer = register(log, "writer")
    for number in range(2):
        log.append("mails", [Record(b"key", b"%d" % number)], producer=producer)
    before = dataclasses.replace(producer, next={SOURCE: 1})
    log.append("mails", [Record(b"key", b"somebody else's")])
    log.append("mails", [Record(b"key", b"somebody else's")])
    log.delete_records(SOURCE, 3)
    if leader_dies:
        shutil.rmtree(options.replicas[0])
    if restarted:
        log.close()
        log = open_embedded(segment_bytes=100)
    assert log.append("mails", [Record(b"key", b"1")], producer=before)[0].offset == 1
    assert log.append("mails", [Record(b"key", b"2")], producer=producer)[0].offset == 4
