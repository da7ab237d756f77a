"""Mails into the log, each exactly once."""

from __future__ import annotations

import logging
from collections import defaultdict
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from log.errors import PartitionBusy, TopicExists, UnknownTopic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.ledger import Ledger
    from ingest.mailfile import MailFile
    from log.interface import CommitLog
    from log.types import Position, Record, TopicPartition

logger = logging.getLogger(__name__)


class Receipt(NamedTuple):
    """The log's durable word for a mail."""

    mail: MailFile
    position: Position
    is_new: bool  # False: the log had it already


class Published(NamedTuple):
    """What became of the mails given to `publish`."""

    receipts: list[Receipt]
    busy: PartitionBusy | None  # why some have none


def make_topic(log: CommitLog, topic: str, partitions: int) -> None:
    """Make the topic unless it is there."""
    try:
        log.describe(topic)
    except UnknownTopic:
        try:
            log.create_topic(topic, partitions)
        except TopicExists:
            logger.debug("topic %s was made by another process", topic)


def publish(log: CommitLog, ledger: Ledger, topic: str, source: str, mails: Sequence[MailFile]) -> Published:
    """Append the mails that the log does not hold, in their order; return when all are durable.

    Looking and appending happen under the locks of all partitions concerned, so that between the two no other watcher
    can append the same mail. Mails of a partition that another process keeps busy get no receipt; the others do not
    wait for it. Raises LogError, LedgerUnavailable: no mail has a receipt.
    """
    busy: PartitionBusy | None = None
    batch: list[tuple[MailFile, Record]] = []
    with ExitStack() as held:
        for partition, share in sorted(_by_partition(log, topic, source, mails).items()):
            try:
                held.enter_context(log.exclusive(partition))
            except PartitionBusy as error:
                busy = error
                continue
            ledger.catch_up(log, partition)
            batch += share
        known = ledger.find(log, topic, {mail.sha256 for mail, _ in batch})
        fresh = {mail.sha256: record for mail, record in batch if mail.sha256 not in known}
        if fresh:
            appended = dict(zip(fresh, log.append(topic, list(fresh.values())), strict=True))
            ledger.add(appended)
            known |= appended
    # Of two files with the same mail, the first is the new one.
    receipts = [Receipt(mail, known[mail.sha256], fresh.pop(mail.sha256, None) is not None) for mail, _ in batch]
    return Published(receipts, busy)


def _by_partition(
    log: CommitLog, topic: str, source: str, mails: Sequence[MailFile]
) -> dict[TopicPartition, list[tuple[MailFile, Record]]]:
    shares: dict[TopicPartition, list[tuple[MailFile, Record]]] = defaultdict(list)
    partition_of = cache(lambda key: log.partition_for(topic, key))
    for mail in mails:
        record = mail.record(source)
        shares[partition_of(record.key)].append((mail, record))
    return shares
