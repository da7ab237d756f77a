from __future__ import annotations

import pytest

from log import LogUnusable, TopicConfig, TopicPartition, UnknownTopic
from log.topic_rules import check_config, check_count, check_name, check_partition, is_name, too_small


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


def test_a_topic_that_takes_less_than_a_mail_may_have_is_told_with_the_way_out() -> None:
    assert too_small("mails", 983_052, 786_432) is None
    said = too_small("mails", 983_052, 4 * 2**20)
    assert said == (
        "topic mails takes mails of 983052 bytes at most: lower inline_max_bytes in [log], which is 4194304, to that, or "
        "raise its limit (max.message.bytes, by kafka-configs); larger mails are claims"
    )
    assert "lower inline_max_bytes" not in (too_small("mails", 0, 1) or "")
