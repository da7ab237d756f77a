from __future__ import annotations

import pytest

from log import LogUnusable, TopicConfig, TopicPartition, UnknownTopic
from log.topic_rules import check_config, check_count, check_name, check_partition, is_name


def test_names_are_those_that_kafka_takes() -> None:
    assert [name for name in ("mails", "a.b_c-D9", "", ".", "..", "a b", "x" * 250) if is_name(name)] == [
        "mails",
        "a.b_c-D9",
    ]
    with pytest.raises(LogUnusable, match="cannot name a topic"):
        check_name("a/b")


def test_partitions_are_counted_from_nought() -> None:
    check_partition(TopicPartition("mails", 3), 4)
    with pytest.raises(UnknownTopic, match="0 to 3"):
        check_partition(TopicPartition("mails", 4), 4)
    with pytest.raises(LogUnusable):
        check_count("mails", 0)


@pytest.mark.parametrize(
    "config",
    [
        TopicConfig(compression="brotli"),
        TopicConfig(segment_bytes=0),
        TopicConfig(cleanup="x"),
        TopicConfig(cleanup="compact", mail=True),
        TopicConfig(retention_s=0),
    ],
)
def test_settings_that_cannot_be_are_refused(config: TopicConfig) -> None:
    with pytest.raises(LogUnusable):
        check_config(config)
