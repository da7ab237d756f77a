"""The topic `ops`, on either backend."""

from __future__ import annotations

from log.interface import CommitLog
from log.opslog import TOPIC, ensure_topic


def test_the_topic_is_made_once_and_forgets_by_age_and_size(commit_log: CommitLog) -> None:
    ensure_topic(commit_log)
    topic_id = commit_log.topic_id(TOPIC)
    ensure_topic(commit_log)
    assert commit_log.topic_id(TOPIC) == topic_id
    config = commit_log.topic_config(TOPIC)
    assert config.retention_s == 30 * 86_400
    assert config.retention_bytes == 2 * 2**30
