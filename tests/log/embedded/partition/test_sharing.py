from __future__ import annotations

from log import Record, TopicPartition
from log.embedded.partition.sharing import all_of, share_out
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


def test_one_partition_has_all_and_no_records_go_nowhere() -> None:
    assert share_out("mails", 1, KEYED, None, None) == {TopicPartition("mails", 0): all_of}
    assert all_of(KEYED) is KEYED
    assert share_out("mails", 4, [], None, None) == {}
