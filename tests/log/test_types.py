from __future__ import annotations

from log import Position, TopicPartition
from log.types import Positions


def test_a_partition_is_written_as_kafka_names_its_folder() -> None:
    assert str(TopicPartition("dealer-mails", 12)) == "dealer-mails-12"
    assert f"{TopicPartition('mails', 0)}" == "mails-0"


def test_positions_are_those_of_records_that_follow_each_other() -> None:
    found, expected = Positions(TopicPartition("mails", 2), range(7, 10)), [Position("mails", 2, n) for n in (7, 8, 9)]
    assert found == expected
    assert (len(found), found[0], found[-1], found[1:]) == (3, expected[0], expected[2], expected[1:])
    assert repr(found) == repr(expected)
    assert found != expected[1:]
