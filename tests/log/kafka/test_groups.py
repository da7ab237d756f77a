from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka import TopicPartition as Place

from log import GroupFenced, LogUnreachable, PartitionBusy, Record, TopicPartition
from log.groups import GroupOffsets, advance
from log.journal import move
from log.kafka import KafkaLog, groups
from log.kafka.client import client_settings
from log.rewind import to_offset
from tests.log.kafka.conftest import OpenKafka

if TYPE_CHECKING:
    from log.interface import Decide, Standing

pytestmark = pytest.mark.slow


@pytest.fixture
def group() -> str:
    """One that no other test has."""
    return f"extract-{uuid.uuid4().hex[:8]}"


def test_kafkas_own_tools_see_where_a_group_stands(kafka: KafkaLog, topic: str, group: str) -> None:
    kafka.append(topic, [Record(None, b"%d" % number) for number in range(5)])
    kafka.commit(group, {TopicPartition(topic, 0): 3})
    consumer = Consumer(client_settings(kafka.options.kafka, group_id=group))
    assert consumer.committed([Place(topic, 0)], timeout=20)[0].offset == 3
    consumer.close()


def test_a_topic_that_is_made_anew_is_not_read_from_an_old_offset(
    kafka: KafkaLog, topic: str, group: str, caplog: pytest.LogCaptureFixture
) -> None:
    kafka.append(topic, [Record(None, b"%d" % number) for number in range(5)])
    kafka.commit(group, {TopicPartition(topic, 0): 3})
    kafka.delete_topic(topic)
    kafka.create_topic(topic, 1)
    with caplog.at_level(logging.WARNING):
        assert kafka.committed(group) == {}
    assert f"topic {topic} was made anew" in caplog.text
    kafka.commit(group, {TopicPartition(topic, 0): 0})
    assert kafka.committed(group) == {TopicPartition(topic, 0): 0}


def test_what_is_decided_of_a_topic_is_not_committed_of_the_one_that_takes_its_name_meanwhile(
    kafka: KafkaLog, topic: str, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, before, change = TopicPartition(topic, 0), {topic: kafka.topic_id(topic)}, kafka.change_group
    kafka.append(topic, [Record(None, b"value") for _ in range(5)])

    def amid(group: str, decide: Decide) -> None:
        def decided(known: Standing) -> Sequence[Record]:
            records = decide(known)
            kafka.delete_topic(topic)
            kafka.create_topic(topic, 1)
            return records

        change(group, decided)

    monkeypatch.setattr(kafka, "change_group", amid)
    advance(kafka, group, {source: range(5)}, "run", 0, topics=before)
    assert kafka.committed(group) == {}


def test_of_two_committers_and_a_rewind_one_after_the_other_wins_and_no_late_commit_undoes_a_move(
    open_kafka: OpenKafka, topic: str, group: str
) -> None:
    logs, source = [open_kafka() for _ in range(3)], TopicPartition(topic, 0)
    logs[0].append(topic, [Record(None, b"value") for _ in range(200)])
    until_answered(lambda: logs[0].commit(group, {source: 0}))
    told: list[str] = []

    def committer(log: KafkaLog) -> None:
        for _ in range(6):
            standing = GroupOffsets(log)
            generation, at = standing.generation(group), standing.latest(group)[source].offset
            try:
                log.commit(group, {source: at + 1}, generations={source: generation})
            except (GroupFenced, LogUnreachable, PartitionBusy) as error:  # as a busy broker may let one wait
                told.append(str(error))

    threads = [threading.Thread(target=committer, args=(log,)) for log in logs[:2]]
    for thread in threads:
        thread.start()
    for _ in range(3):
        until_answered(lambda: move(logs[2], group, [source], to_offset(100)))
    for thread in threads:
        thread.join()
    moves = GroupOffsets(logs[2]).moves(group)
    assert len(moves) >= 3, "one that had no answer may have been done"
    history = [each for each in history_of(logs[2], group) if each[1] is not None]
    generations = [generation for generation, _ in history]
    assert generations == sorted(generations), "no commit of an earlier generation came behind a move"
    for generation in moves:
        first = next(offset for each, offset in history if each == generation)
        assert first == 100


def test_a_change_whose_producer_comes_to_a_stand_is_begun_anew_by_another(
    kafka: KafkaLog, topic: str, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, hung, freed = TopicPartition(topic, 0), threading.Event(), threading.Event()

    class Hanging(Producer):
        """The first one, as the client's when the group's coordinator is gone: it minds no timeout."""

        def send_offsets_to_transaction(self, *given: Any) -> None:
            if not hung.is_set():
                hung.set()
                freed.wait(60)
            super().send_offsets_to_transaction(*given)

    monkeypatch.setattr(groups, "Producer", Hanging)
    kafka.append(topic, [Record(None, b"%d" % number) for number in range(5)])
    began = time.monotonic()
    kafka.commit(group, {source: 3})
    assert time.monotonic() - began < 30
    assert hung.is_set()
    freed.set()
    assert kafka.committed(group) == {source: 3}
    kafka.commit(group, {source: 4})
    assert kafka.committed(group) == {source: 4}


def test_a_group_whose_coordinator_does_not_answer_is_told_in_time_and_can_be_tried_again(
    kafka: KafkaLog, topic: str, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    freed, begun = threading.Event(), 0

    class Hanging(Producer):
        """As the client's when the group's coordinator is gone: it minds no timeout."""

        def send_offsets_to_transaction(self, *given: Any) -> None:
            nonlocal begun
            begun += 1
            freed.wait(120)
            super().send_offsets_to_transaction(*given)

    monkeypatch.setattr(groups, "Producer", Hanging)
    with pytest.raises(LogUnreachable, match=f"group {group}: its coordinator does not answer") as raised:
        kafka.commit(group, {TopicPartition(topic, 0): 0})
    freed.set()
    assert raised.value.retriable
    assert begun == 2
    kafka.commit(group, {TopicPartition(topic, 0): 0})
    assert kafka.committed(group) == {TopicPartition(topic, 0): 0}


def until_answered(change: Callable[[], object]) -> None:
    """A busy broker may not end a transaction in time, and of many who change a group one may be put off."""
    while True:
        try:
            change()
        except (LogUnreachable, PartitionBusy):
            continue
        return


def history_of(log: KafkaLog, group: str) -> list[tuple[int, int]]:
    """Generation and offset of each commit of the group, in their order in the log."""
    from log.groups import GROUPS_PARTITION, offset_of
    from log.reading import records_of

    told = [offset_of(record) for record in records_of(log, GROUPS_PARTITION)]
    return [(each[2].generation, each[2].offset) for each in told if each is not None and each[0] == group]
