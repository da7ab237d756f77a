from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from log.kafka.troubles import troubles_of, troubles_of_brokers
from log.types import PartitionInfo

SETTINGS = {
    "min.insync.replicas": "2",
    "max.message.bytes": "1048588",
    "unclean.leader.election.enable": "false",
    "cleanup.policy": "delete",
}


def told(topic: str = "mails", copies: int = 3, **changed: str) -> list[tuple[bool, str]]:
    settings: dict[str, Any] = {
        name: SimpleNamespace(value=value)
        for name, value in {**SETTINGS, **{name.replace("_", "."): value for name, value in changed.items()}}.items()
    }
    brokers = tuple(f"b{number}:9092" for number in range(copies))
    partition = PartitionInfo(topic, 0, brokers[0], -1, brokers, brokers, 0, 0, 0, -1)
    return [(each.fails, each.detail) for each in troubles_of(topic, settings, [partition], 786_432)]


def test_three_copies_of_which_two_must_have_a_record_are_no_trouble() -> None:
    assert told() == []


@pytest.mark.parametrize(
    ("copies", "changed", "fails", "said"),
    [
        (3, {"unclean_leader_election_enable": "true"}, False, "may lead, .* to false"),
        (1, {}, True, "nothing can be appended"),
        (1, {"min_insync_replicas": "1"}, False, "a broker that dies may take it"),
        (3, {"min_insync_replicas": "1"}, False, "three copies and two of them are usual"),
        (3, {"max_message_bytes": "500000"}, True, "lower inline_max_bytes in .*, which is 786432, to that"),
    ],
)
def test_settings_that_break_a_promise_are_told_with_what_to_do(
    copies: int, changed: dict[str, str], fails: bool, said: str
) -> None:
    ((found, detail),) = told(copies=copies, **changed)
    assert found == fails
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(detail)


@pytest.mark.parametrize("topic", ["__otclog_groups", "__otclog_claims"])
def test_a_topic_that_must_be_kept_by_key_and_is_not_is_a_failure(topic: str) -> None:
    ((fails, detail),) = told(topic)
    assert fails
    assert f"otclog topic alter {topic} --cleanup compact" in detail
    assert told(topic, cleanup_policy="compact") == []


def of_brokers(brokers: int, topics: set[str], **changed: int) -> list[tuple[bool, str]]:
    values = {
        "offsets.retention.minutes": 10_080,
        "offsets.topic.replication.factor": 3,
        "transaction.state.log.replication.factor": 3,
    } | {name.replace("_", "."): value for name, value in changed.items()}
    settings: dict[str, Any] = {name: SimpleNamespace(value=str(value)) for name, value in values.items()}
    return [(each.fails, each.detail) for each in troubles_of_brokers(settings, brokers, topics)]


def test_brokers_that_forget_offsets_between_two_runs_are_told_of() -> None:
    assert of_brokers(3, set()) == []
    ((fails, detail),) = of_brokers(3, set(), offsets_retention_minutes=60)
    assert not fails
    assert "after 3600 s (offsets.retention.minutes)" in detail


def test_too_few_brokers_for_the_topics_that_commits_need_are_a_failure_until_these_are_there() -> None:
    (first, second) = of_brokers(1, {"mails"})
    assert first[0]
    assert second[0]
    assert "offsets.topic.replication.factor to at most 1" in first[1]
    assert "transaction.state.log.replication.factor to at most 1" in second[1]
    assert of_brokers(1, {"mails", "__consumer_offsets", "__transaction_state"}) == []
