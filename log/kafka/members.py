"""Members of a group on Kafka: the brokers say who lives and which partitions are whose (KIP-848), over any hosts.

What a member is to others stands in its client's name: otclog|host|process|joined|topics. No record passes through its
consumer, which is told to read from the end on, and paused: records are read by offset, as everything else is.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any, Self

from confluent_kafka import OFFSET_END, Consumer, KafkaError, KafkaException
from confluent_kafka import TopicPartition as Place

from log.errors import LogUnreachable
from log.groups import tell_of_member
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import DENIED, asked_until_it_stands, code_of, kafka_errors
from log.times import now_ms
from log.types import Member, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from log.kafka.admin import Admin
    from log.options import KafkaOptions

OURS = "otclog"
UNPOLLED_MS = 86_400_000  # a member that works on what it polled for longer than a day is given up


class KafkaMembership:
    """See `log.interface.Membership`."""

    def __init__(self, options: KafkaOptions, group: str, topics: Iterable[str]) -> None:
        process, host, joined, names = os.getpid(), socket.gethostname(), now_ms(), tuple(sorted(topics))
        name = f"{process}-{joined}-{os.urandom(4).hex()}"
        self.member = Member(name, host, process, joined, names)
        self._revoked: Callable[[list[TopicPartition]], object] = lambda _: None
        self._assigned: set[TopicPartition] = set()
        self._group = group
        self._consumer: Consumer = opened(
            Consumer,
            options,
            client_id="|".join([OURS, name, host, str(process), str(joined), ",".join(names)]),
            group_id=group,
            group_protocol="consumer",
            enable_auto_commit=False,
            auto_offset_reset="latest",
            max_poll_interval_ms=UNPOLLED_MS,
        )
        with kafka_errors(f"group {group}"):
            self._consumer.subscribe(list(names), self._assign, self._revoke, self._revoke)
        tell_of_member(group, self.member, "joined")

    def share(
        self, sources: Iterable[TopicPartition], revoked: Callable[[list[TopicPartition]], object]
    ) -> list[TopicPartition]:
        """See `log.interface.Membership`."""
        self._revoked = revoked
        right = f"Read of group {self._group}, or Describe of its topics,"
        with kafka_errors(f"group {self._group}", right):
            told = self._consumer.poll(0)  # serves what the brokers said of partitions; what it reads is nobody's
            if told is not None and (error := told.error()) is not None and error.code() in DENIED:
                raise KafkaException(error)
        return sorted(self._assigned & set(sources))

    def lease(self, source: TopicPartition) -> Lease | None:
        """See `log.interface.Membership`: the brokers give a partition to one member at a time."""
        return Lease() if source in self._assigned else None

    def leave(self) -> None:
        """Be no member any more."""
        self._revoked = lambda _: None
        self._consumer.close()
        tell_of_member(self._group, self.member, "left")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.leave()

    def _assign(self, consumer: Consumer, places: list[Place]) -> None:
        at_end = [Place(each.topic, each.partition, OFFSET_END) for each in places]
        consumer.incremental_assign(at_end)
        consumer.pause(at_end)
        self._assigned |= {TopicPartition(each.topic, each.partition) for each in places}

    def _revoke(self, consumer: Consumer, places: list[Place]) -> None:
        """Another member gets them as soon as this returns."""
        gone = [TopicPartition(each.topic, each.partition) for each in places]
        try:
            self._revoked(gone)
        finally:
            self._assigned -= set(gone)
            consumer.incremental_unassign(places)


class Lease:
    """What the brokers gave, they take: there is nothing to give back."""

    def release(self) -> None:
        """See `log.interface.Lease`."""

    def close(self) -> None:
        """See `log.interface.Lease`."""


def living(admin: Admin, group: str) -> list[Member]:
    """The members that the brokers know, of programs of others, too, with what each reads."""
    try:
        described = asked_until_it_stands(lambda: _described(admin, group), ANSWER_S)
    except LogUnreachable as error:
        if code_of(error) == KafkaError.GROUP_ID_NOT_FOUND:
            return []
        raise
    return sorted((_member(each) for each in described.members), key=lambda member: member.id)


def _described(admin: Admin, group: str) -> Any:
    with kafka_errors(f"group {group}", f"Describe of group {group}"):
        return admin.client.describe_consumer_groups([group], request_timeout=ANSWER_S)[group].result()


def _member(told: Any) -> Member:
    places = told.assignment.topic_partitions if told.assignment else ()
    reads = tuple(sorted(TopicPartition(each.topic, each.partition) for each in places))
    if told.client_id.startswith(f"{OURS}|") and told.client_id.count("|") == 5:
        _, name, host, process, joined, topics = told.client_id.split("|")
        return Member(name, host, int(process), int(joined), tuple(topics.split(",")), reads)
    return Member(told.member_id, told.host.lstrip("/"), 0, 0, tuple({each.topic for each in reads}), reads)
