"""What a cluster's settings would do to our promises: told by `otclog doctor` before it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from log.claims.index import CLAIMS_TOPIC
from log.groups import GROUPS_TOPIC
from log.kafka.producing import value_limit
from log.kafka.topic_config import unmarked
from log.topic_rules import is_internal, too_small
from log.types import Trouble

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from log.types import PartitionInfo

COMPACTED = {GROUPS_TOPIC, CLAIMS_TOPIC}
OWN_TOPICS = {  # of the brokers, made by the first commit; the setting of how many copies each is to have
    "__consumer_offsets": "offsets.topic.replication.factor",
    "__transaction_state": "transaction.state.log.replication.factor",
}
DAY_S = 86_400  # the longest that jobs are usually apart


def troubles_of(
    topic: str, told: Mapping[str, Any], partitions: list[PartitionInfo], inline_max_bytes: int
) -> Iterator[Trouble]:
    """Of one topic, by Kafka's settings of it and where its copies lie."""
    insync, copies = int(told["min.insync.replicas"].value), min(len(each.replicas) for each in partitions)
    limit = value_limit(int(told["max.message.bytes"].value))
    if not is_internal(topic) and (why := too_small(topic, limit, inline_max_bytes)):
        yield Trouble("topic", True, why)
    if told["unclean.leader.election.enable"].value == "true":
        yield Trouble(
            "topic",
            False,
            f"topic {topic}: a broker that lacks acknowledged records may lead, and then these are lost: set "
            "unclean.leader.election.enable to false",
        )
    if copies < insync:
        yield Trouble(
            "topic",
            True,
            f"topic {topic} has {copies} copies and min.insync.replicas = {insync}: nothing can be appended; move its "
            "partitions to more brokers (kafka-reassign-partitions)",
        )
    elif copies < 2 or insync < 2:
        yield Trouble(
            "topic",
            False,
            f"topic {topic}: copies: {copies}, of which {insync} must have a record before it is acknowledged "
            "(min.insync.replicas): a broker that dies may take it; three copies and two of them are usual",
        )
    if topic in COMPACTED and told["cleanup.policy"].value != "compact":
        yield Trouble(
            "topic",
            True,
            f"topic {topic} is not compacted alone (cleanup.policy): what it says of groups or claims would go "
            f"with its age; `otclog topic alter {topic} --cleanup compact`",
        )


def trouble_of_unmarked(topic: str) -> Trouble:
    """Of one that the settings name, and that may be another program's."""
    return Trouble("topic", True, unmarked(topic))


def troubles_of_brokers(told: Mapping[str, Any], brokers: int, topics: Collection[str]) -> Iterator[Trouble]:
    """Of the cluster, by a broker's settings, how many there are, and which topics, the brokers' own among them."""
    for topic, setting in OWN_TOPICS.items():
        if topic not in topics and (copies := int(told[setting].value)) > brokers:
            yield Trouble(
                "log",
                True,
                f"brokers cannot make their topic {topic}, of {copies} copies on {brokers}: no group can commit; set "
                f"{setting} to at most {brokers} on each broker, or start more of them",
            )
    kept_s = 60 * int(told["offsets.retention.minutes"].value)
    if kept_s < DAY_S:
        yield Trouble(
            "log",
            False,
            f"brokers forget the offsets of a group that nobody is a member of after {kept_s} s "
            "(offsets.retention.minutes): with runs by cron, kafka-consumer-groups shows no lag between them; otclog "
            "has its own. A week is usual",
        )
