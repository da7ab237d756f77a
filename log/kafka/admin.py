"""Topics and brokers, by Kafka's administration client."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from confluent_kafka import OFFSET_INVALID, IsolationLevel, KafkaError, KafkaException, TopicCollection
from confluent_kafka import TopicPartition as Place
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._config import AlterConfigOpType, ConfigEntry, ConfigResource, ConfigSource
from confluent_kafka.admin._listoffsets import EarliestSpec, LatestSpec, OffsetSpec
from confluent_kafka.admin._resource import ResourceType
from confluent_kafka.cimpl import NewPartitions, NewTopic

from log.errors import LogUnreachable, LogUnusable, UnknownTopic
from log.kafka.client import ANSWER_S, let_go, opened
from log.kafka.errors import (
    DENIED,
    asked_until_it_stands,
    code_of,
    is_moving,
    is_silent,
    kafka_errors,
    raise_if_refused,
    was_refused,
)
from log.kafka.topic_config import OWN, from_kafka, is_marked, to_kafka, unmarked
from log.topic_rules import check_config, check_count, check_name, check_partition
from log.types import PartitionInfo, ReplicaInfo, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from log.options import KafkaOptions, LogOptions

NOT_TOLD = -1
_EARLIEST: Any = EarliestSpec()  # type: ignore[no-untyped-call]
_LATEST: Any = LatestSpec()  # type: ignore[no-untyped-call]
USABLE_S = 30.0  # until a topic that was made or deleted is so on all brokers
LOOK_S = 0.05
SETTLED_S = 1.0  # so long a client is asked again who leads a partition that moves; then another one is


_taken_by: set[KafkaOptions] = set()  # whoever has answered this process, as whom it is there


class Admin:
    """See `Administration`."""

    def __init__(self, options: LogOptions) -> None:
        self._options = options

    @cached_property
    def client(self) -> AdminClient:
        """Made when it is needed first, and after one that had no answer."""
        return cast("AdminClient", opened(AdminClient, self._options.kafka))

    def close(self) -> None:
        """Let go of the client; another is made when it is needed."""
        if client := self.__dict__.pop("client", None):
            let_go(client)

    @cached_property
    def cluster_id(self) -> str:
        """What tells the cluster from every other one."""
        with self._asking(f"cluster {self._options.kafka.bootstrap}"):
            return str(self._answer(self.client.describe_cluster(request_timeout=ANSWER_S)).cluster_id)

    def create_topic(self, topic: str, partitions: int, config: TopicConfig | None) -> None:
        """See `Administration`."""
        check_name(topic)
        check_count(topic, partitions)
        check_config(config or TopicConfig())
        replication = self._options.kafka.replication or -1
        new = NewTopic(topic, partitions, replication, config=to_kafka(config or TopicConfig()))
        with self._asking(f"topic {topic}", "Create"):
            self.client.create_topics([new], request_timeout=ANSWER_S, operation_timeout=ANSWER_S)[topic].result()
        self._until(topic, lambda: self._is_led(topic, partitions))

    def alter_topic(self, topic: str, partitions: int | None, config: TopicConfig | None) -> None:
        """See `Administration`."""
        count = self.partition_count(topic)
        if partitions is not None and partitions < count:
            raise LogUnusable(
                f"{topic} has {count} partitions, never {partitions} again: `otclog topic copy` it into a new one"
            )
        if config is not None:
            check_config(config)
            self.require_mark(topic)
            wanted = to_kafka(config)
            entries = [
                ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET) for name, value in wanted.items()
            ]
            resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries)
            with self._asking(f"topic {topic}", "AlterConfigs"):
                self.client.incremental_alter_configs([resource], request_timeout=ANSWER_S)[resource].result()
            self._until(topic, lambda: _its_own(self.settings_of(topic)).items() >= wanted.items())
        if partitions is not None and partitions > count:
            check_count(topic, partitions)
            with self._asking(f"topic {topic}", "Alter"):
                made = self.client.create_partitions([NewPartitions(topic, partitions)], request_timeout=ANSWER_S)
                made[topic].result()
            self._until(topic, lambda: self._is_led(topic, partitions))

    def delete_topic(self, topic: str) -> None:
        """See `Administration`."""
        gone = self.topic_id(topic)
        with self._asking(f"topic {topic}", "Delete"):
            self.client.delete_topics([topic], request_timeout=ANSWER_S, operation_timeout=ANSWER_S)[topic].result()
        self._until(topic, lambda: self._id_now(topic) != gone)

    def delete_records(self, source: TopicPartition, before: int) -> int:
        """See `Administration`; the caller has checked the offset."""
        place = Place(source.topic, source.partition, before)
        with kafka_errors(f"{source}, offset {before}", f"Delete of topic {source.topic}"):
            deleted = self.client.delete_records([place], request_timeout=ANSWER_S)[place].result()
        return int(deleted.low_watermark)

    def topics(self) -> list[str]:
        """See `Administration`; the cluster's others are left out, and those whose settings we may not see."""
        listed = self.all_topics()
        own = {topic for topic in listed if topic.startswith(OWN)}
        asked = {topic: ConfigResource(ResourceType.TOPIC, topic) for topic in sorted(listed - own)}
        told = self.client.describe_configs([*asked.values()], request_timeout=ANSWER_S) if asked else {}
        return sorted(own | {topic for topic, resource in asked.items() if self._is_ours(topic, told[resource])})

    def _is_ours(self, topic: str, told: Any) -> bool:
        try:
            with self._asking(f"topic {topic}", "DescribeConfigs"):
                return is_marked(_its_own(told.result()))
        except UnknownTopic:  # it was deleted since it was listed
            return False
        except LogUnusable as error:
            if code_of(error) in DENIED:
                return False
            raise

    def all_topics(self) -> set[str]:
        """Those too of other programs, and that Kafka keeps for itself."""
        with self._asking(f"cluster {self._options.kafka.bootstrap}"):
            return set(self.client.list_topics(timeout=ANSWER_S).topics)

    def brokers(self) -> list[int]:
        """The numbers of those that are there."""
        return [node.id for node in self._nodes()]

    def topic_config(self, topic: str) -> TopicConfig:
        """See `Administration`."""
        return from_kafka(_its_own(self.settings_of(topic)))

    def require_mark(self, topic: str) -> None:
        """Raises LogUnusable for a topic that may be another program's, UnknownTopic."""
        if not (topic.startswith(OWN) or is_marked(_its_own(self.settings_of(topic)))):
            raise LogUnusable(unmarked(topic))

    def is_compacted(self, topic: str) -> bool:
        """Whether offsets of it may hold nothing, as far as we may know. Raises UnknownTopic."""
        if topic.startswith(OWN):
            return True  # a job may not ask it of ours
        try:
            return "compact" in str(self.settings_of(topic)["cleanup.policy"].value)
        except LogUnusable as error:
            if code_of(error) in DENIED:
                return False
            raise

    def settings_of(self, topic: str) -> Mapping[str, Any]:
        """All of Kafka's settings that hold for the topic, by name. Raises UnknownTopic."""
        return self._settings(ConfigResource(ResourceType.TOPIC, topic), f"topic {topic}")

    def max_message_bytes(self, topic: str) -> int:
        """How long a batch of the topic may be. Raises UnknownTopic."""
        return int(self.settings_of(topic)["max.message.bytes"].value)

    def settings_of_broker(self, broker: int) -> Mapping[str, Any]:
        """Those of one that is there, by name: what is the cluster's is the same on all."""
        return self._settings(ConfigResource(ResourceType.BROKER, str(broker)), f"cluster, broker {broker}")

    def _settings(self, resource: ConfigResource, what: str) -> Mapping[str, Any]:
        with self._asking(what, "DescribeConfigs"):
            told = self.client.describe_configs([resource], request_timeout=ANSWER_S)[resource].result()
            return cast("Mapping[str, Any]", told)

    def topic_id(self, topic: str) -> str:
        """See `Administration`."""
        return str(self._described(topic).topic_id)

    def partition_count(self, topic: str) -> int:
        """See `Administration`."""
        return len(self._described(topic).partitions)

    def describe(self, topic: str) -> list[PartitionInfo]:
        """See `Administration`. Kafka's client tells neither epochs nor sizes."""
        described = self._described(topic)
        spans = self.spans([TopicPartition(topic, each.id) for each in described.partitions])
        return [
            PartitionInfo(
                topic,
                each.id,
                _name(each.leader),
                NOT_TOLD,
                tuple(_name(node) for node in each.isr),
                tuple(_name(node) for node in each.replicas),
                spans[TopicPartition(topic, each.id)].start,
                spans[TopicPartition(topic, each.id)].stop,
                spans[TopicPartition(topic, each.id)].stop,
                NOT_TOLD,
            )
            for each in described.partitions
        ]

    def spans(self, sources: Iterable[TopicPartition], *, committed: bool = True) -> dict[TopicPartition, range]:
        """[log start offset, end that readers see) of each; with `committed` False the end of what is written."""
        listed = list(sources)
        starts = self._offsets(listed, _EARLIEST, committed=committed)
        stops = self._offsets(listed, _LATEST, committed=committed)
        return {source: range(starts[source], max(starts[source], stops[source])) for source in listed}

    def end(self, source: TopicPartition) -> int:
        """Behind the last record that readers see."""
        return self._offsets([source], _LATEST, committed=True)[source]

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """See `Data`."""
        offset = self._offsets([source], OffsetSpec.for_timestamp(max(0, timestamp_ms)), committed=True)[source]
        return None if offset < 0 else offset

    def replicas(self) -> list[ReplicaInfo]:
        """See `Administration`: the brokers that are there, and those that copies lie on though they are not."""
        nodes, topics = self._nodes(), self.topics()
        described = [each for topic in self._described_where_there(topics) for each in topic.partitions]
        living = {node.id: node for node in nodes}
        known = living.keys() | {node.id for each in described for node in each.replicas}
        return [
            ReplicaInfo(
                number,
                f"{living[number].host}:{living[number].port}" if number in living else "",
                number in living,
                living[number].rack if number in living else None,
                sum(number in {node.id for node in each.replicas} for each in described),
                sum(number in {node.id for node in each.isr} for each in described),
                sum(each.leader is not None and number == each.leader.id for each in described),
                0,
                0,
                0,
                "" if number in living else "the broker does not answer the cluster: start it",
            )
            for number in sorted(known)
        ]

    @contextmanager
    def _asking(self, what: str, operation: str = "Describe") -> Iterator[None]:
        try:
            with kafka_errors(what, f"{operation} of {what}"):
                yield
            _taken_by.add(self._options.kafka)
        except LogUnreachable as error:
            self.client.poll(0)  # so that it says what it noted meanwhile
            if not is_moving(error):  # it may ask for long a broker that is gone: another one looks for who is there
                self.close()
            options = self._options.kafka
            raise_if_refused(options.bootstrap, error, were_taken=options in _taken_by)
            if is_silent(error):
                brokers = self._options.kafka.bootstrap
                told = f"{error}: no answer from {brokers}: do they run, and can this machine reach them?"
                raise LogUnreachable(told) from error
            raise

    def _answer(self, future: Any) -> Any:
        """What the brokers say; sooner than they would time out where they refuse us. Raises TimeoutError."""
        deadline = time.monotonic() + ANSWER_S
        while True:
            try:
                return future.result(0.5)
            except TimeoutError:
                self.client.poll(0)
                is_final = self._options.kafka not in _taken_by and was_refused(self._options.kafka.bootstrap)
                if is_final or time.monotonic() > deadline:
                    raise

    def _nodes(self) -> list[Any]:
        with self._asking(f"cluster {self._options.kafka.bootstrap}"):
            return list(self._answer(self.client.describe_cluster(request_timeout=ANSWER_S)).nodes)

    def _described(self, topic: str) -> Any:
        with self._asking(f"topic {topic}"):
            return self._answer(self._ask_for([topic])[topic])

    def _described_where_there(self, topics: list[str]) -> list[Any]:
        """Without those that were deleted since they were listed."""
        found, asked = [], {}
        if topics:
            with self._asking(f"topic {', '.join(topics)}"):
                asked = self._ask_for(topics)
        for topic, future in asked.items():
            with suppress(UnknownTopic), self._asking(f"topic {topic}"):
                found.append(self._answer(future))
        return found

    def _ask_for(self, topics: list[str]) -> dict[str, Any]:
        return dict(self.client.describe_topics(TopicCollection(topics), request_timeout=ANSWER_S))

    def _id_now(self, topic: str) -> str | None:
        try:
            return self.topic_id(topic)
        except UnknownTopic:
            return None

    def _is_led(self, topic: str, partitions: int) -> bool:
        try:
            found = self._described(topic).partitions
            led = len(found) == partitions and all(each.leader is not None and each.leader.id >= 0 for each in found)
            if led:
                self.spans(TopicPartition(topic, each.id) for each in found)  # the leaders know it, too
        except (UnknownTopic, LogUnreachable):
            return False
        return led

    def _until(self, topic: str, is_so: Any) -> None:
        deadline = time.monotonic() + USABLE_S
        while not is_so():
            if time.monotonic() > deadline:
                raise LogUnreachable(f"topic {topic}: not all brokers know of the change after {USABLE_S:g} s")
            time.sleep(LOOK_S)

    def _offsets(self, sources: list[TopicPartition], spec: Any, *, committed: bool) -> dict[TopicPartition, int]:
        level = IsolationLevel.READ_COMMITTED if committed else IsolationLevel.READ_UNCOMMITTED
        asked = {Place(source.topic, source.partition): spec for source in sources}

        def ask() -> dict[TopicPartition, int]:
            found = self.client.list_offsets(asked, isolation_level=level, request_timeout=ANSWER_S)
            listed = {TopicPartition(place.topic, place.partition): future for place, future in found.items()}
            return {source: self._offset_of(source, future) for source, future in listed.items()}

        deadline = time.monotonic() + ANSWER_S
        while asked:
            try:
                return asked_until_it_stands(ask, SETTLED_S)
            except LogUnreachable as error:
                self.close()  # the client may hold for long on to who led a partition: another one looks anew
                if not is_moving(error) or time.monotonic() > deadline:
                    raise
        return {}

    def _offset_of(self, source: TopicPartition, future: Any) -> int:
        try:
            with self._asking(f"topic {source.topic}, partition {source.partition}"):
                offset = int(self._answer(future).offset)
                if offset == OFFSET_INVALID:  # without an error, while the partition moves to another broker
                    raise KafkaException(KafkaError(KafkaError.OFFSET_NOT_AVAILABLE))
                return offset
        except UnknownTopic as error:
            check_partition(source, self.partition_count(source.topic))
            raise LogUnreachable(f"{source}: it has no leader now") from error


def _its_own(told: Mapping[str, Any]) -> dict[str, str]:
    """What was set of the topic itself, without the brokers' defaults."""
    return {name: each.value for name, each in told.items() if _is_its_own(each) and each.value}


def _is_its_own(entry: Any) -> bool:
    return int(getattr(entry.source, "value", entry.source)) == int(ConfigSource.DYNAMIC_TOPIC_CONFIG.value)


def _name(node: Any) -> str:
    return "" if node is None else f"{node.host}:{node.port}" if node.host else str(node.id)
