from __future__ import annotations

from log import TopicPartition


def test_a_partition_is_written_as_kafka_names_its_folder() -> None:
    assert str(TopicPartition("dealer-mails", 12)) == "dealer-mails-12"
    assert f"{TopicPartition('mails', 0)}" == "mails-0"
