"""Groups on Kafka: who changes one does so in a transaction of the group's own producer.

Its transactional id is the group's name: to begin is to fence whoever began before. So of two that change a group at
once one is refused by the brokers, whatever hosts they are on, looks again, and decides anew. What it decides on was
read to its end after it began; so a commit of an earlier generation never comes behind a move. (Tried with Kafka 4.3:
an id for each member and the consumer's metadata do less. The broker takes offsets of a partition that is another
member's, and of somebody who is no member at all.)

The brokers' own offsets of the group go with the same transaction, so that Kafka's tools show its lag.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka import TopicPartition as Place

from log.errors import LogUnreachable, PartitionBusy
from log.groups import (
    GROUPS_PARTITION,
    GROUPS_TOPIC,
    GroupOffsets,
    check_name,
    make_groups_topic,
    offset_of,
)
from log.kafka.acls import TRANSACTIONAL
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import log_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.interface import CommitLog, Decide
    from log.kafka.admin import Admin
    from log.options import KafkaOptions
    from log.types import Record

TRANSACTION_MS = 10_000  # one whose process died is ended by the brokers then, or by who begins the next of its group
SEND_S = 5.0  # half of ANSWER_S: where all brokers are gone that is told by who begins anew, and in time
TRIES = 12
HANGS = 2  # then its coordinator is told as gone: within the time of a dead cluster, others of this process wait
_FENCED = {
    KafkaError._FENCED,  # noqa: SLF001 -- names of the client's own codes
    KafkaError._STATE,  # noqa: SLF001
    KafkaError.PRODUCER_FENCED,
    KafkaError.INVALID_PRODUCER_EPOCH,
    KafkaError.INVALID_PRODUCER_ID_MAPPING,
    KafkaError.INVALID_TXN_STATE,
    KafkaError.CONCURRENT_TRANSACTIONS,
}


class KafkaGroups:
    """See `Groups`. Safe for threads."""

    def __init__(self, log: CommitLog, options: KafkaOptions, admin: Admin) -> None:
        self._log, self._options, self._admin = log, options, admin
        self.offsets = GroupOffsets(log)
        self._lock = threading.Lock()
        self._producers: dict[str, Producer] = {}  # each the last to begin, as far as is known
        self._metadata: dict[str, Any] = {}

    def change(self, group: str, decide: Decide) -> None:
        """See `Groups.change_group`."""
        check_name(group)
        make_groups_topic(self._log)
        hangs = 0
        with self._lock:
            for tried in range(TRIES):
                try:
                    self._change(group, decide)
                except _Fenced as fenced:
                    self._producers.pop(group, None)
                    hangs += isinstance(fenced, _Hung)
                    if hangs == HANGS:
                        raise LogUnreachable(f"group {group}: its coordinator does not answer; try again") from fenced
                    time.sleep(random.uniform(0, 0.05 * (tried + 1)))  # noqa: S311  no secret
                except BaseException:
                    self._producers.pop(group, None)
                    raise
                else:
                    return
        raise PartitionBusy(f"group {group}, which others keep changing", None)

    def close(self) -> None:
        """Let go of the clients."""
        with self._lock:
            self._producers.clear()
            self._metadata.clear()

    def _change(self, group: str, decide: Decide) -> None:
        producer = self._begun(group)
        self._settle()
        records = decide(self.offsets)
        if not records:
            return
        with _fencing(group):
            producer.begin_transaction()
            try:
                self._write(producer, group, records)
                producer.commit_transaction(ANSWER_S)
            except KafkaException as error:
                if error.args[0].txn_requires_abort():
                    with contextlib.suppress(KafkaException):
                        producer.abort_transaction(ANSWER_S)
                raise
        self._settle()  # the brokers answer before readers see it

    def _write(self, producer: Producer, group: str, records: Sequence[Record]) -> None:
        for record in records:
            producer.produce(
                GROUPS_TOPIC, record.value, record.key, partition=GROUPS_PARTITION.partition, headers=[*record.headers]
            )
        if places := _places(records):
            _send_offsets(producer, places, self._metadata_of(group))

    def _begun(self, group: str) -> Producer:
        producer = self._producers.get(group)
        if producer is None:
            producer = opened(
                Producer,
                self._options,
                transactional_id=f"{TRANSACTIONAL}{group}",
                transaction_timeout_ms=TRANSACTION_MS,
            )
            with _fencing(group):
                producer.init_transactions(ANSWER_S)
            self._producers[group] = producer
        return producer

    def _settle(self) -> None:
        """Return when readers see all that was written before: a transaction of a group that died may hold it back."""
        written = self._admin.spans([GROUPS_PARTITION], committed=False)[GROUPS_PARTITION].stop
        deadline = time.monotonic() + 3 * TRANSACTION_MS / 1000
        while self._admin.spans([GROUPS_PARTITION])[GROUPS_PARTITION].stop < written:
            if time.monotonic() > deadline:
                raise LogUnreachable(f"{GROUPS_PARTITION}: somebody's transaction is still open")
            time.sleep(0.05)

    def _metadata_of(self, group: str) -> Any:
        if group not in self._metadata:
            consumer = opened(Consumer, self._options, group_id=group, enable_auto_commit=False)
            self._metadata[group] = consumer.consumer_group_metadata()
            consumer.close()
        return self._metadata[group]


class _Fenced(Exception):
    """Somebody else began to change the group, or our producer came to a stand: begin anew, by another one."""


class _Hung(_Fenced):
    """It minded no timeout."""


def _send_offsets(producer: Producer, places: list[Place], metadata: Any) -> None:
    """Raises _Hung where that hangs: the client minds no timeout once the group's coordinator has gone.

    (librdkafka#5456 and #5511.) The thread is left to it; what it may send yet is of an epoch that is over by then.
    """
    sent: Future[None] = Future()

    def send() -> None:
        try:
            producer.send_offsets_to_transaction(places, metadata, SEND_S)
        except KafkaException as error:
            sent.set_exception(error)
        else:
            sent.set_result(None)

    threading.Thread(target=send, daemon=True).start()
    try:
        sent.result(SEND_S)
    except TimeoutError as error:
        raise _Hung from error


@contextlib.contextmanager
def _fencing(group: str) -> Any:
    try:
        yield
    except KafkaException as error:
        if error.args[0].code() in _FENCED:
            raise _Fenced from error
        raise log_error(error.args[0], f"group {group}", _right(group, error.args[0])) from error


def _right(group: str, error: KafkaError) -> str:
    """What must be allowed for a change of the group, by what was denied."""
    if error.code() == KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
        return f"Write of transactional id {TRANSACTIONAL}{group}"
    if error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED:
        return f"Read of group {group}"
    of_offsets = "commit offsets" in error.str()  # the client says it of a call that comes later, too
    return "Read of the topics that it reads" if of_offsets else f"Write of topic {GROUPS_TOPIC}"


def _places(records: Sequence[Record]) -> list[Place]:
    """What the brokers are to keep of it: the offsets, where there are any."""
    told = [each for each in map(offset_of, records) if each is not None]
    return [Place(source.topic, source.partition, committed.offset) for _, source, committed in told]
