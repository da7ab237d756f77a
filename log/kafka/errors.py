"""The one border where Kafka's errors become the log's."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from confluent_kafka import KafkaError, KafkaException

from log.errors import (
    LogError,
    LogUnreachable,
    LogUnusable,
    NotEnoughReplicas,
    TopicExists,
    UnknownTopic,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Asked = TypeVar("Asked")
_LOOK_S = 0.1
_KNOWN: dict[type[LogError], tuple[int, ...]] = {
    UnknownTopic: (
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError.UNKNOWN_TOPIC_ID,
        KafkaError._UNKNOWN_TOPIC,  # noqa: SLF001 -- names of the client's own codes
        KafkaError._UNKNOWN_PARTITION,  # noqa: SLF001
        KafkaError._NOENT,  # noqa: SLF001 -- of a partition: or it has no leader now
    ),
    TopicExists: (KafkaError.TOPIC_ALREADY_EXISTS,),
    NotEnoughReplicas: (
        KafkaError.NOT_ENOUGH_REPLICAS,
        KafkaError.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ),
    LogUnusable: (
        KafkaError.INVALID_CONFIG,
        KafkaError.INVALID_PARTITIONS,
        KafkaError.INVALID_REPLICATION_FACTOR,
        KafkaError.INVALID_REQUEST,
        KafkaError.MSG_SIZE_TOO_LARGE,  # of a topic with a lower limit than ours may have: its other records are there
        KafkaError.POLICY_VIOLATION,
        KafkaError.RECORD_LIST_TOO_LARGE,
        KafkaError.TOPIC_EXCEPTION,
        KafkaError.UNSUPPORTED_VERSION,
        KafkaError._INVALID_ARG,  # noqa: SLF001
        KafkaError._UNSUPPORTED_FEATURE,  # noqa: SLF001
    ),
}
_REFUSED = {
    KafkaError._AUTHENTICATION,  # noqa: SLF001
    KafkaError._SSL,  # noqa: SLF001
    KafkaError.SASL_AUTHENTICATION_FAILED,
}
DENIED = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
}
_MOVING = {  # who leads the partition, or coordinates the group, is another broker from now on, or not ready yet
    KafkaError.NOT_COORDINATOR,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.FENCED_LEADER_EPOCH,
    KafkaError.UNKNOWN_LEADER_EPOCH,
    KafkaError.OFFSET_NOT_AVAILABLE,
}
_SILENT = {
    KafkaError._TIMED_OUT,  # noqa: SLF001
    KafkaError._TRANSPORT,  # noqa: SLF001
    KafkaError._ALL_BROKERS_DOWN,  # noqa: SLF001
}
_BY_CODE = {code: kind for kind, codes in _KNOWN.items() for code in codes}


_NOTED_S = 15.0
_noted: dict[str, tuple[float, str]] = {}  # by brokers, what clients said of being refused: their calls only time out


def note_refusal(brokers: str, shown: Callable[[str], str], error: KafkaError) -> None:
    """For a client to call with each of its errors (`error_cb`): why the brokers do not take us is remembered.

    `shown` leaves secrets out of what is said: who gives tokens may repeat what he was told.
    """
    if error.code() in _REFUSED:
        _noted[brokers] = time.monotonic(), shown(error.str())


def was_refused(brokers: str) -> bool:
    """Whether a client of these brokers noted so just before."""
    return brokers in _noted and time.monotonic() - _noted[brokers][0] < _NOTED_S


def raise_if_refused(brokers: str, error: LogUnreachable, *, were_taken: bool) -> None:
    """Raise with the reason why these brokers refuse us, which a client of them noted just before this, if it did.

    The error says only that no answer came. LogUnusable, or LogUnreachable where they `were_taken` before: a connection
    that is cut amid its beginning is told in the same words, and is no reason for a daemon to end.
    """
    if was_refused(brokers):
        kind, now = (LogUnreachable, " now") if were_taken else (LogUnusable, "")
        raise kind(f"the cluster refuses us{now}: {_noted[brokers][1]}: see [log.kafka]") from error


@contextmanager
def kafka_errors(what: str, right: str = "") -> Iterator[None]:
    """Raise Kafka's errors as LogError; `what` names topic, partition, offset or broker that was asked for.

    `right` is what the brokers' ACLs must allow us for it: they say only that they do not.
    """
    try:
        yield
    except KafkaException as error:
        raise log_error(error.args[0], what, right) from error
    except TimeoutError as error:  # of a future that was waited for
        raise LogUnreachable(f"{what}: no broker answered in time") from error


def asked_until_it_stands(ask: Callable[[], Asked], within_s: float) -> Asked:
    """What `ask` returns; it is called again while what it asks for moves from one broker to another."""
    deadline = time.monotonic() + within_s
    while True:
        try:
            return ask()
        except LogUnreachable as error:
            if not is_moving(error) or time.monotonic() > deadline:
                raise
            time.sleep(_LOOK_S)


def is_moving(error: LogError) -> bool:
    """Whether the broker that was asked answered that it is another's by now, or not ready yet."""
    return code_of(error) in _MOVING


def is_silent(error: LogError) -> bool:
    """Whether no broker answered at all."""
    return code_of(error) in _SILENT or isinstance(error.__cause__, TimeoutError)


def code_of(error: LogError) -> int | None:
    """Kafka's, if it came from there."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KafkaException):
        cause = cause.__cause__
    return cause.args[0].code() if cause is not None else None


def log_error(error: KafkaError, what: str, right: str = "") -> LogError:
    """As `kafka_errors`, for one of Kafka's.

    One that nobody knows can be tried again, also one that is fatal to a client: the next try begins another client.
    """
    said = f"{what}: {error.str()} ({error.name()})"
    if error.code() in DENIED:
        return LogUnusable(f"{what}: the right {right or 'to it'} is missing ({error.name()}): see `otclog kafka acls`")
    if error.code() in _REFUSED:
        return LogUnusable(f"{said}: the cluster refuses us: see who we are to it in [log.kafka]")
    return _BY_CODE.get(error.code(), LogUnreachable)(said)
