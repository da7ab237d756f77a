from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from log import CommitLog, GroupFenced, OffsetOutOfRange, Record, TopicPartition, UnknownTopic
from log.consumers.consumer import Consumer
from log.journal import move
from log.records import Records
from log.rewind import to_earliest, to_latest, to_offset
from tests.partitions import partition_for

MAILS = [TopicPartition("mails", number) for number in range(4)]
Join = Callable[..., Consumer]
WAIT_S = 20.0  # at most: what is there comes at once
Drain = Callable[..., list[tuple[TopicPartition, int]]]
Until = Callable[..., None]


@pytest.fixture
def filled(commit_log: CommitLog) -> CommitLog:
    """Eight records in each partition of `mails`, ten in `single`."""
    keys: dict[TopicPartition, bytes] = {}
    for number in range(100):
        keys.setdefault(partition_for(commit_log, "mails", b"%d" % number), b"%d" % number)
    commit_log.append("mails", [Record(key, b"mail %d" % number) for key in keys.values() for number in range(8)])
    commit_log.append("single", [Record(None, b"%d" % number) for number in range(10)])
    return commit_log


@pytest.fixture
def join(filled: CommitLog) -> Iterator[Join]:
    """Another member of the group `extract`, that looks who is there at each poll."""
    with ExitStack() as stack:

        def make(*topics: str, **options: object) -> Consumer:
            given = {"rebalance_s": 0, **options}
            return stack.enter_context(Consumer(filled, "extract", topics or ("mails",), **given))  # type: ignore[arg-type]

        yield make


@pytest.fixture
def drain(patience_s: float) -> Drain:
    """All that a member polls until nothing comes, once it has something to read."""

    def polled(consumer: Consumer, max_bytes: int = 2**20) -> list[tuple[TopicPartition, int]]:
        found: list[tuple[TopicPartition, int]] = []
        deadline = time.monotonic() + patience_s
        while True:
            records = consumer.poll(max_bytes=max_bytes)
            found += [(record.source, record.offset) for record in records]
            if not records and (consumer.assignment or time.monotonic() >= deadline):
                return found

    return polled


@pytest.fixture
def until(patience_s: float) -> Until:
    """Let members poll in turns until something is so."""

    def poll(is_so: Callable[[], object], *members: Consumer) -> None:
        deadline = time.monotonic() + 2 * patience_s
        for _ in range(3):
            for member in members:
                member.poll(max_bytes=1)
        while not is_so() and time.monotonic() < deadline:
            for member in members:
                member.poll(max_bytes=1)
        assert is_so()

    return poll


def everything() -> list[tuple[TopicPartition, int]]:
    return [(source, offset) for source in MAILS for offset in range(8)]


def test_one_consumer_reads_all_partitions_in_order(join: Join, drain: Drain) -> None:
    found = drain(join(), max_bytes=1)
    assert sorted(found) == everything()
    for source in MAILS:
        assert [offset for each, offset in found if each == source] == list(range(8))


def test_partitions_take_turns(join: Join) -> None:
    consumer = join()
    turns = [consumer.poll(WAIT_S, max_bytes=1)[0].source for _ in range(12)]
    assert turns == MAILS * 3


def test_what_was_committed_is_not_read_again(filled: CommitLog, join: Join, drain: Drain) -> None:
    first = join()
    drain(first)
    first.commit(metadata="run 1")
    first.close()
    assert filled.committed("extract") == dict.fromkeys(MAILS, 8)
    assert drain(join()) == []


def test_what_was_not_committed_is_read_again(join: Join, drain: Drain) -> None:
    first = join("single")
    assert len(first.poll(WAIT_S, max_bytes=1)) == 1
    first.commit()
    assert len(first.poll()) == 9
    first.close()
    assert drain(join("single")) == [(TopicPartition("single", 0), offset) for offset in range(1, 10)]


def test_single_offsets_can_be_committed(filled: CommitLog, join: Join, single: TopicPartition) -> None:
    consumer = join("single")
    consumer.poll(WAIT_S)
    consumer.commit({single: 4})
    assert filled.committed("extract") == {single: 4}
    consumer.commit()
    assert filled.committed("extract") == {single: 10}


def test_a_consumer_begins_where_it_is_told(
    filled: CommitLog, join: Join, single: TopicPartition, drain: Drain
) -> None:
    consumer = join("single", start="latest")
    assert drain(consumer) == []
    filled.append("single", [Record(None, b"new")])
    assert [record.offset for record in consumer.poll(WAIT_S)] == [10]
    assert filled.committed("extract") == {single: 10}, "or what came before the first commit could be lost"


def test_a_poll_waits_for_the_next_record(filled: CommitLog, join: Join, drain: Drain) -> None:
    consumer = join("single")
    drain(consumer)
    assert consumer.poll(timeout_s=0.05) == []
    filled.append("single", [Record(None, b"new")])
    assert [record.offset for record in consumer.poll(timeout_s=60)] == [10]


def test_a_paused_partition_is_not_polled_and_stays(join: Join, drain: Drain, until: Until) -> None:
    one, two = join(), join()
    until(lambda: len(one.assignment) == len(two.assignment) == 2, one, two)
    held = one.assignment
    one.pause(*held)
    assert drain(one) == []
    assert one.assignment == held
    one.resume(held[0])
    assert {source for source, _ in drain(one)} == {held[0]}


def test_a_seek_moves_the_next_poll_alone(filled: CommitLog, join: Join, single: TopicPartition, drain: Drain) -> None:
    consumer = join("single")
    drain(consumer)
    consumer.commit()
    consumer.seek(single, 7)
    assert consumer.position(single) == 7
    assert filled.committed("extract") == {single: 10}
    assert [offset for _, offset in drain(consumer)] == [7, 8, 9]
    consumer.seek(single, 3)
    consumer.commit()
    assert filled.committed("extract") == {single: 3}
    for outside in (-1, 11):
        with pytest.raises(OffsetOutOfRange):
            consumer.seek(single, outside)


def test_partitions_are_shared_evenly_and_by_one_each(join: Join, until: Until) -> None:
    members = [join() for _ in range(3)]
    until(lambda: sorted(len(member.assignment) for member in members) == [1, 1, 2], *members)
    assert sorted(source for member in members for source in member.assignment) == MAILS


def test_a_member_too_many_waits(join: Join, drain: Drain) -> None:
    members = [join("single"), join("single")]
    assert sorted(len(drain(member)) for member in members) == [0, 10]
    busy = max(members, key=lambda member: len(member.assignment))
    members.remove(busy)
    busy.close()
    assert len(drain(members[0])) == 10


def test_members_get_only_the_topics_they_want(join: Join, single: TopicPartition, until: Until) -> None:
    one, two = join("mails"), join("mails", "single")
    until(lambda: one.assignment and sorted([*one.assignment, *two.assignment]) == [*MAILS, single], one, two)
    assert single in two.assignment


def test_what_is_about_to_be_given_up_can_still_be_committed(join: Join, drain: Drain, until: Until) -> None:
    told: list[list[TopicPartition]] = []

    def revoked(sources: list[TopicPartition]) -> None:
        told.append(sources)
        first.commit()

    first = join(on_revoke=revoked)
    polled = drain(first)
    second = join()
    until(lambda: second.assignment, second, first)
    assert first.poll() == []
    assert drain(second) == [], "all of it was committed before it changed hands"
    assert sorted(polled) == everything()
    assert sorted(source for each in told for source in each) == second.assignment
    with pytest.raises(GroupFenced, match="no longer, this consumer's"):
        first.commit({second.assignment[0]: 8})


def test_without_a_commit_the_next_reader_reads_again(join: Join, drain: Drain, until: Until) -> None:
    first = join()
    drain(first)
    second = join()
    found: list[tuple[TopicPartition, int]] = []

    def shared() -> bool:
        first.poll()
        found.extend((record.source, record.offset) for record in second.poll())
        return len(first.assignment) == len(second.assignment) == 2

    until(shared)
    first.commit()
    again = found + drain(second)
    assert {source for source, _ in again} == set(second.assignment)
    assert len(again) == 16


def test_who_waits_looks_ever_less_often(
    filled: CommitLog, join: Join, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    consumer, read = join("single"), filled.read
    drain(consumer)
    looks: list[TopicPartition] = []

    def counted(source: TopicPartition, offset: int, max_bytes: int) -> Records:
        looks.append(source)
        return read(source, offset, max_bytes)

    monkeypatch.setattr(filled, "read", counted)
    assert consumer.poll(1.0) == []
    assert looks.count(TopicPartition("single", 0)) <= 12


def test_two_groups_read_the_same(filled: CommitLog, join: Join, drain: Drain) -> None:
    with Consumer(filled, "other", ["mails"]) as other:
        assert sorted(drain(other)) == sorted(drain(join())) == everything()


@pytest.mark.parametrize(
    ("target", "left"), [(to_earliest, range(10)), (to_latest, range(0)), (to_offset(4), range(4, 10))]
)
def test_a_running_group_is_moved_and_its_late_commit_is_refused(
    filled: CommitLog, join: Join, drain: Drain, target: object, left: range
) -> None:
    consumer, single = join("single"), TopicPartition("single", 0)
    assert len(consumer.poll(WAIT_S, max_bytes=6)) == 6
    consumer.commit()
    assert len(consumer.poll(max_bytes=1)) == 1
    move(filled, "extract", [single], target)  # type: ignore[arg-type]
    with pytest.raises(GroupFenced, match=r"group extract, single-0: moved or taken over.*poll again"):
        consumer.commit()
    assert filled.committed("extract") == {single: left.start if left else 10}
    assert [offset for _, offset in drain(consumer)] == list(left)
    consumer.commit()
    assert filled.committed("extract") == {single: 10}


def test_a_commit_of_an_earlier_generation_is_refused_whole(filled: CommitLog, single: TopicPartition) -> None:
    filled.commit("extract", {MAILS[0]: 3, single: 3}, generations={MAILS[0]: 2, single: 2})
    filled.commit("extract", {single: 5}, generations={single: 3})
    with pytest.raises(GroupFenced):
        filled.commit("extract", {MAILS[0]: 4, single: 4}, generations={MAILS[0]: 2, single: 2})
    assert filled.committed("extract") == {MAILS[0]: 3, single: 5}


def test_a_topic_that_is_not_there_is_said(join: Join) -> None:
    with pytest.raises(UnknownTopic, match="other"):
        join("other").poll(WAIT_S)


def test_work_that_failed_is_not_committed_as_it_leaves(filled: CommitLog, single: TopicPartition) -> None:
    def at_work() -> None:
        with Consumer(filled, "extract", ["single"], on_revoke=lambda _: consumer.commit()) as consumer:
            consumer.poll(WAIT_S)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        at_work()
    assert filled.committed("extract") == {single: 0}


def test_a_topic_that_is_made_anew_is_read_from_its_start_and_nothing_is_committed_of_the_one_before(
    filled: CommitLog, join: Join, drain: Drain, until: Until, patience_s: float
) -> None:
    consumer, single = join("single"), TopicPartition("single", 0)
    assert len(drain(consumer)) == 10
    filled.delete_topic("single")
    filled.create_topic("single", 1)
    filled.append("single", [Record(None, b"other %d" % number) for number in range(12)])
    with pytest.raises(GroupFenced, match="made anew"):
        consumer.commit()
    assert filled.committed("extract") == {}
    found: list[tuple[TopicPartition, int]] = []

    def is_done() -> bool:
        found.extend(drain(consumer))
        consumer.commit()
        return filled.committed("extract") == {single: 12}

    until(is_done)
    # brokers may take back what they gave of the topic before, amid the work, and give it again from its start
    whole = [(single, number) for number in range(12)]
    assert (found[-12:], set(found)) == (whole, set(whole))
    assert patience_s or found == whole
    assert filled.committed("extract") == {single: 12}
