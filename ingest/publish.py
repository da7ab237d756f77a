"""Mails into the log, each exactly once."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ingest.ledger.ledger import Noted
from ingest.ledger.recorded import origin_of
from log.errors import PartitionBusy
from log.murmur2 import partition_of
from log.topics.making import make_topic
from log.types import TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ingest.ledger.ledger import Ledger
    from ingest.mail import Mail
    from log.interface import CommitLog
    from log.types import Position, Record

logger = logging.getLogger(__name__)


class Outgoing(NamedTuple):
    """A mail with the record it is to become."""

    mail: Mail
    topic: str
    record: Record

    @property
    def origin(self) -> int:
        """By which way it came."""
        return origin_of(self.record)


class Known(NamedTuple):
    """A mail that the log has, durably."""

    outgoing: Outgoing
    noted: Noted
    is_new: bool  # False: it had it already


class Published(NamedTuple):
    """What became of the mails given to `publish`."""

    known: list[Known]
    busy: PartitionBusy | None  # why some are not among them


def make_mail_topic(log: CommitLog, topic: str, partitions: int) -> None:
    """Make the topic unless it is there, and mark it as one of mails: of a sender the last mail is not enough."""
    make_topic(log, topic, partitions, TopicConfig(mail=True))
    config = log.topic_config(topic)
    if not config.mail:
        log.alter_topic(topic, config=replace(config, mail=True, cleanup="delete"))
        if config.cleanup != "delete":
            logger.warning("topic %s is to hold mails: it is not compacted any more", topic)


def publish(
    log: CommitLog,
    ledger: Ledger,
    topics: Sequence[str],
    mails: Sequence[Outgoing],
    carry_on: Callable[[], None] = lambda: None,
) -> Published:
    """Append the mails that no topic of `topics` holds, in their order; return when all are durable.

    Looking and appending are one step of the log's, over every partition where a mail may be (`Data.append_new`): in
    the embedded log no other process can append it between the two, wherever its rules send it. Of partitions that were
    added since the ledger looked last it first learns what the former ones have; if they are added just then, it begins
    anew. A ledger that is far behind catches up before, so that nobody waits for it. Mails of a partition that another
    process keeps busy are left out; the others do not wait for it, unless it may have mails of a former number of
    partitions. `carry_on` is called before each wait for a lock, and while the ledger catches up, and may raise.
    Raises LogError, LedgerUnavailable: the caller knows nothing of any mail.
    """
    while True:
        counts = {topic: log.partition_count(topic) for topic in topics}
        try:
            for topic, count in counts.items():
                ledger.catch_up_former(log, topic, count, carry_on)
        except PartitionBusy as error:
            return Published([], error)
        published = _publish(log, ledger, counts, mails, carry_on)
        if published is not None:
            return published


def _publish(
    log: CommitLog,
    ledger: Ledger,
    counts: Mapping[str, int],
    mails: Sequence[Outgoing],
    carry_on: Callable[[], None],
) -> Published | None:
    """See `publish`; None, and nothing was done, where a topic has another number of partitions under the locks."""
    topics = list(counts)
    places = {key: _places(counts, key) for key in {each.record.key for each in mails}}
    partitions = set().union(*places.values())
    for partition in sorted(partitions):
        ledger.catch_up(log, partition, carry_on)
    looked = _Looked([], {}, {}, None)

    def choose(busy: Mapping[TopicPartition, PartitionBusy]) -> dict[str, list[Record]] | None:
        for partition in sorted(partitions - busy.keys()):
            ledger.catch_up(log, partition)
        if any(log.partition_count(topic) != count for topic, count in counts.items()):
            return None
        looked.ready = [each for each in mails if not places[each.record.key] & busy.keys()]
        looked.noted = ledger.find(log, topics, {each.mail.sha256 for each in looked.ready})
        unknown = [each for each in reversed(looked.ready) if each.mail.sha256 not in looked.noted]
        looked.fresh = {each.mail.sha256: each for each in unknown}
        looked.busy = next(iter(busy.values()), None)
        return {topic: [each.record for each in share] for topic, share in looked.shares().items()}

    appended = log.append_new(partitions, choose, carry_on)
    if appended is None:
        return None
    noted = looked.noted | _note(log, ledger, looked.shares(), appended)
    known = [Known(each, noted[each.mail.sha256], looked.is_fresh(each)) for each in looked.ready]
    return Published(known, looked.busy)


def _places(counts: Mapping[str, int], key: bytes | None) -> set[TopicPartition]:
    """Where the topics have the records of this key; those of mails have one."""
    return {TopicPartition(topic, partition_of(key or b"", count)) for topic, count in counts.items()}


@dataclass(slots=True)
class _Looked:
    """What was found when the partitions' ends were known."""

    ready: list[Outgoing]  # those of partitions that nobody keeps busy
    noted: dict[str, Noted]  # what the log has of them
    fresh: dict[str, Outgoing]  # what it lacks, the last one first
    busy: PartitionBusy | None

    def is_fresh(self, mail: Outgoing) -> bool:
        """Whether it is the one to be appended, of several with these bytes."""
        return self.fresh.get(mail.mail.sha256) is mail

    def shares(self) -> dict[str, list[Outgoing]]:
        """What is to be appended to each topic, in the order given."""
        shares: dict[str, list[Outgoing]] = {}
        for each in reversed(self.fresh.values()):
            shares.setdefault(each.topic, []).append(each)
        return shares


def _note(
    log: CommitLog, ledger: Ledger, shares: Mapping[str, Sequence[Outgoing]], appended: Mapping[str, Sequence[Position]]
) -> dict[str, Noted]:
    """What was appended, noted in the ledger too; what does not follow on what that knew, it reads itself."""
    noted: dict[str, Noted] = {}
    for topic, share in shares.items():
        noted |= {each.mail.sha256: Noted(at, each.origin) for each, at in zip(share, appended[topic], strict=True)}
    ledger.add(log, noted)
    return noted
