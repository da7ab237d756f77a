"""The log on Apache Kafka: real brokers, for several hosts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors, make_folder
from log.errors import LogUnusable, UnknownTopic
from log.groups import check_name, commit
from log.kafka.admin import Admin
from log.kafka.groups import KafkaGroups
from log.kafka.members import KafkaMembership, living
from log.kafka.producing import Appender, value_limit
from log.kafka.reading import Reader
from log.kafka.troubles import trouble_of_unmarked, troubles_of, troubles_of_brokers
from log.metrics import appending
from log.reading import holds_mails, sources_of
from log.topic_rules import check_offset

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from log.interface import Choose, CommitLog, Decide, Membership, Standing
    from log.options import LogOptions
    from log.records import Records
    from log.types import (
        Member,
        PartitionInfo,
        Position,
        Record,
        ReplicaInfo,
        Tended,
        TopicConfig,
        TopicPartition,
        Trouble,
    )


class KafkaLog:
    """See `CommitLog`. Safe for threads; after a fork the child opens its own."""

    def __init__(self, options: LogOptions) -> None:
        """Open the log; no broker is asked yet. Raises LogUnusable for settings that cannot be."""
        self.options = options
        with disk_errors_as_log_errors():
            make_folder(options.root)
        self._admin = Admin(options)
        self._appender = Appender(options.kafka, self._admin.partition_count, self._admin.max_message_bytes)
        self._reader = Reader(options.kafka, self.span, self._admin.end, self._admin.is_compacted)
        self._groups = KafkaGroups(self, options.kafka, self._admin)

    @property
    def log_id(self) -> str:
        """The cluster's id."""
        return self._admin.cluster_id

    def append(self, topic: str, records: Sequence[Record], partition: int | None = None) -> Sequence[Position]:
        """See `Data`."""
        with appending(topic, records):
            return self._appender.append(topic, records, partition)

    def append_new(
        self, sources: Collection[TopicPartition], choose: Choose, carry_on: Callable[[], None] = lambda: None
    ) -> Mapping[str, Sequence[Position]] | None:
        """See `Data`: there is no lock, so what others append in between is not seen."""
        if sources:
            carry_on()
        chosen = choose({})
        return None if chosen is None else {topic: self.append(topic, each) for topic, each in chosen.items()}

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """See `Data`."""
        return self._reader.read(source, offset, max_bytes)

    def span(self, source: TopicPartition) -> range:
        """See `Data`."""
        return self._admin.spans([source])[source]

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """See `Data`."""
        return self._admin.offset_for_time(source, timestamp_ms)

    def bytes_from(self, source: TopicPartition, offset: int) -> int | None:  # noqa: ARG002 -- see below
        """See `Data`: Kafka's client does not ask brokers for sizes."""
        self.span(source)
        return None

    def close(self) -> None:
        """See `Data`."""
        self._appender.close()
        self._reader.close()
        self._groups.close()
        self._admin.close()

    def create_topic(self, topic: str, partitions: int, config: TopicConfig | None = None) -> None:
        """See `Administration`."""
        self._admin.create_topic(topic, partitions, config)

    def alter_topic(self, topic: str, partitions: int | None = None, config: TopicConfig | None = None) -> None:
        """See `Administration`."""
        if config is not None and config.cleanup == "compact":
            for source in sources_of(self, topic):
                if holds_mails(self, source):
                    raise LogUnusable(f"{topic} holds mails: compacted, of a sender only the last one would be left")
        self._admin.alter_topic(topic, partitions, config)
        self._appender.forget(topic)

    def delete_topic(self, topic: str) -> None:
        """See `Administration`. What groups committed of it names its id, and so holds no longer."""
        self._admin.delete_topic(topic)
        self._appender.forget(topic)

    def delete_records(self, source: TopicPartition, before: int) -> int:
        """See `Administration`."""
        check_offset(source, before, range(self.span(source).stop))
        return self._admin.delete_records(source, before)

    def topics(self) -> list[str]:
        """See `Administration`."""
        return self._admin.topics()

    def topic_config(self, topic: str) -> TopicConfig:
        """See `Administration`."""
        return self._admin.topic_config(topic)

    def value_limit(self, topic: str) -> int:
        """See `Administration`."""
        return value_limit(self._admin.max_message_bytes(topic))

    def topic_id(self, topic: str) -> str:
        """See `Administration`."""
        return self._admin.topic_id(topic)

    def partition_count(self, topic: str) -> int:
        """See `Administration`."""
        return self._admin.partition_count(topic)

    def describe(self, topic: str) -> list[PartitionInfo]:
        """See `Administration`."""
        return self._admin.describe(topic)

    def replicas(self) -> list[ReplicaInfo]:
        """See `Administration`."""
        return self._admin.replicas()

    def troubles(self, topics: Collection[str] = ()) -> list[Trouble]:
        """See `Administration`."""
        ours = self.topics()
        found = [trouble for topic in ours for trouble in self._troubles_of(topic)]
        found += [trouble for topic in sorted(set(topics) - set(ours)) for trouble in self._unmarked(topic)]
        brokers, there = self._admin.brokers(), self._admin.all_topics()
        return [*found, *troubles_of_brokers(self._admin.settings_of_broker(brokers[0]), len(brokers), there)]

    def _unmarked(self, topic: str) -> list[Trouble]:
        try:
            is_marked = self.topic_config(topic).mail
        except UnknownTopic:  # it is yet to be made
            return []
        return [] if is_marked else [trouble_of_unmarked(topic)]

    def _troubles_of(self, topic: str) -> list[Trouble]:
        try:
            settings, partitions = self._admin.settings_of(topic), self._admin.describe(topic)
        except UnknownTopic:  # it was deleted since it was listed
            return []
        return list(troubles_of(topic, settings, partitions, self.options.inline_max_bytes))

    def tend(self, progress: Callable[[], None] = lambda: None) -> list[Tended]:
        """See `Administration`: brokers do so by themselves."""
        progress()
        return []

    def change_group(self, group: str, decide: Decide) -> None:
        """See `Groups`."""
        self._groups.change(group, decide)

    def commit(
        self,
        group: str,
        offsets: Mapping[TopicPartition, int],
        metadata: str = "",
        generations: Mapping[TopicPartition, int] | None = None,
        topics: Mapping[str, str] | None = None,
    ) -> None:
        """See `Groups`."""
        commit(self, group, offsets, metadata, generations=generations, topics=topics)

    def committed(self, group: str) -> dict[TopicPartition, int]:
        """See `Groups`."""
        return {source: found.offset for source, found in self._groups.offsets.latest(group).items()}

    def standing(self) -> Standing:
        """See `Groups`."""
        return self._groups.offsets

    def groups(self) -> list[str]:
        """See `Groups`."""
        return self._groups.offsets.names()

    def join(self, group: str, topics: Iterable[str]) -> Membership:
        """See `Groups`."""
        check_name(group)
        return KafkaMembership(self.options.kafka, group, topics)

    def members(self, group: str) -> list[Member]:
        """See `Groups`."""
        return living(self._admin, group)


if TYPE_CHECKING:
    _COMMIT_LOG: type[CommitLog] = KafkaLog
