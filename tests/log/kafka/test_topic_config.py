from __future__ import annotations

import pytest

from log import TopicConfig
from log.kafka.topic_config import from_kafka, to_kafka


@pytest.mark.parametrize(
    "config",
    [
        TopicConfig(mail=True),
        TopicConfig(mail=True, segment_bytes=2**20, segment_age_s=3600, compression="none", retention_s=86400),
        TopicConfig(mail=True, compression="zstd", retention_bytes=10**9),
        TopicConfig(cleanup="compact", compaction_lag_s=60, tombstone_s=3600),
        TopicConfig(cleanup="compact", tombstone_s=0),
    ],
)
def test_what_is_set_is_read_back(config: TopicConfig) -> None:
    assert from_kafka(to_kafka(config)) == config


def test_a_topic_is_of_mails_only_where_it_is_marked_as_ours() -> None:
    assert from_kafka({}).mail is False
    assert from_kafka({"message.timestamp.type": "CreateTime"}).mail is False
    assert from_kafka({"message.timestamp.type": "LogAppendTime"}).mail is True


def test_nothing_is_deleted_unasked_and_times_are_the_brokers() -> None:
    told = to_kafka(TopicConfig())
    assert (told["retention.ms"], told["retention.bytes"]) == ("-1", "-1")
    assert told["message.timestamp.type"] == "LogAppendTime"
