from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, NotEnoughReplicas, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.creation import create_partition
from log.embedded.home import Home
from log.embedded.opening import open_home
from log.embedded.replicas.state import load_state
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment.names import SUFFIXES

SOURCE = TopicPartition("mails", 0)
TOPIC_ID = "the topic's"


@pytest.fixture
def home(options: LogSettings) -> Home:
    return open_home(options)


def test_every_replica_has_an_empty_first_segment(home: Home) -> None:
    create_partition(home, SOURCE, 2, TOPIC_ID)
    for number in home.replicas:
        names = {path.name for path in home.partition_folder(SOURCE, number).iterdir()}
        assert names == {*(f"{0:020d}{suffix}" for suffix in SUFFIXES), "leader-epoch-checkpoint", "state.json"}


def test_its_watermark_is_at_the_start(home: Home) -> None:
    create_partition(home, SOURCE, 2, TOPIC_ID)
    mark = read_watermark(home.watermark_file(SOURCE))
    assert mark is not None
    assert (mark.high_watermark, mark.end, mark.segment_base, mark.position) == (0, 0, 0, 0)


def test_a_replica_that_cannot_be_reached_stays_out_of_the_isr(home: Home) -> None:
    shutil.rmtree(home.replicas[1])
    create_partition(home, SOURCE, 2, TOPIC_ID)
    state = load_state(home, SOURCE)
    assert (state.leader, state.isr, state.replicas) == (2, (2, 3), (1, 2, 3))


def test_too_few_replicas_make_no_partition(home: Home) -> None:
    for number in (1, 3):
        shutil.rmtree(home.replicas[number])
    with pytest.raises(NotEnoughReplicas, match="1 replicas can hold it, 2 are needed"):
        create_partition(home, SOURCE, 2, TOPIC_ID)
    assert not home.state_file(SOURCE).exists()


def test_records_that_lie_there_are_never_written_over(home: Home) -> None:
    segments = [home.partition_folder(SOURCE, number) / f"{0:020d}.log" for number in (1, 2)]
    for segment in segments:
        segment.parent.mkdir()
        segment.write_bytes(b"records")
    with pytest.raises(LogUnusable, match=r"records lie in .*disk-1.*disk-2.* already"):
        create_partition(home, SOURCE, 2, TOPIC_ID)
    assert [segment.read_bytes() for segment in segments] == [b"records"] * 2


def test_one_copy_that_holds_records_stays_out_of_the_isr(home: Home) -> None:
    segment: Path = home.partition_folder(SOURCE, 2) / f"{0:020d}.log"
    segment.parent.mkdir()
    segment.write_bytes(b"records")
    create_partition(home, SOURCE, 2, TOPIC_ID)
    assert load_state(home, SOURCE).isr == (1, 3)
    assert segment.read_bytes() == b"records"


def test_an_attempt_that_died_can_be_repeated(home: Home) -> None:
    create_partition(home, SOURCE, 2, TOPIC_ID)
    home.state_file(SOURCE).unlink()
    create_partition(home, SOURCE, 2, TOPIC_ID)
    assert load_state(home, SOURCE).isr == (1, 2, 3)


@pytest.mark.parametrize("left", [1, 2])
def test_no_topic_begins_over_the_records_of_one_that_only_lost_its_file(
    embedded: EmbeddedLog, numbered: Callable[..., list[Record]], left: int
) -> None:
    home = embedded.home
    embedded.append("mails", numbered(3))
    embedded.commit("extract", {SOURCE: 2})
    whole = home.topic_file("mails").read_bytes()
    home.topic_file("mails").unlink()
    for number in (1, 2):
        home.topic_copy("mails", number).unlink()
    for number in range(1, 4 - left):
        shutil.rmtree(home.partition_folder(SOURCE, number))
    for partitions in (1, 2):
        with pytest.raises(LogUnusable, match=r"mails-0: .*disk-3.* hold records of .*topic.json is lost. Put it back"):
            embedded.create_topic("mails", partitions)
    home.topic_file("mails").write_bytes(whole)
    assert [record.value for record in embedded.read(SOURCE, 0, 2**20)] == [b"0", b"1", b"2"]
    assert embedded.committed("extract") == {SOURCE: 2}
