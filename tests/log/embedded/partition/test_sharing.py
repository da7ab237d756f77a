from __future__ import annotations

from log import Position, Record, TopicPartition
from log.embedded.partition.sharing import all_of, positions_of, share_out
from log.murmur2 import partition_of
from log.types import Producer

KEYED = [Record(b"%d" % number, b"value") for number in range(40)]
BARE = [Record(None, b"value")] * 5


def test_a_key_is_always_in_the_same_partition_and_the_order_of_records_stays() -> None:
    shares = share_out("mails", 4, KEYED, None, None)
    assert list(shares) == [TopicPartition("mails", number) for number in range(4)]
    for source, pick in shares.items():
        assert list(pick(KEYED)) == [each for each in KEYED if partition_of(each.key or b"", 4) == source.partition]
        assert list(pick(range(40))) == sorted(pick(range(40)))


def test_records_without_a_key_stay_together_and_go_elsewhere_the_next_time() -> None:
    goals = {tuple(share_out("mails", 4, BARE, None, None)) for _ in range(100)}
    assert {len(goal) for goal in goals} == {1}
    assert len(goals) == 4


def test_a_producer_that_repeats_itself_goes_where_it_went_before() -> None:
    producer = Producer(1, 0, {TopicPartition("mails", 1): 6})
    assert [*share_out("mails", 4, BARE, None, producer)] == [*share_out("mails", 4, BARE, None, producer)]
    before = [*share_out("mails", 4, BARE, None, producer)]
    producer.next[TopicPartition("mails", 1)] += 1
    assert [*share_out("mails", 4, BARE, None, producer)] != before


def test_each_record_has_the_position_that_its_share_got_there() -> None:
    shares = share_out("mails", 4, KEYED, None, None)
    offsets = {source: range(100, 100 + len(pick(KEYED))) for source, pick in shares.items()}
    found = positions_of(shares, offsets, len(KEYED))
    for source, pick in shares.items():
        assert [at.offset for at in pick(found)] == [*offsets[source]]
        assert {(at.topic, at.partition) for at in pick(found)} == {source}
    one = TopicPartition("mails", 0)
    assert positions_of({one: all_of}, {one: range(7, 9)}, 2) == [Position("mails", 0, 7), Position("mails", 0, 8)]
    assert positions_of({}, {}, 0) == []


def test_one_partition_has_all_and_no_records_go_nowhere() -> None:
    assert share_out("mails", 1, KEYED, None, None) == {TopicPartition("mails", 0): all_of}
    assert all_of(KEYED) is KEYED
    assert share_out("mails", 4, [], None, None) == {}
