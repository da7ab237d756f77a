"""Mails into the log, each exactly once."""

from __future__ import annotations

import logging
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from log.errors import LogError, TopicExists, UnknownTopic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def make_topic(log: CommitLog, topic: str, partitions: int) -> None:
    """Make the topic unless it is there."""
    try:
        log.describe(topic)
    except UnknownTopic:
        try:
            log.create_topic(topic, partitions)
        except TopicExists:
            logger.debug("topic %s was made by another process", topic)


def publish(
    log: CommitLog, ledger: Ledger, topic: str, source: str, mails: Sequence[MailFile]
) -> Iterator[list[Receipt]]:
    """Append the mails the log does not hold, a partition at a time, in their order; receipts once durable.

    A partition that fails with a retriable error does not keep the others from theirs: the error is raised at the end,
    and its mails have no receipt. Any other error is raised at once. Raises LogError, LedgerUnavailable.
    """
    failed: LogError | None = None
    for partition, batch in _by_partition(log, topic, source, mails).items():
        try:
            yield _append_unknown(log, ledger, partition, batch)
        except LogError as error:
            if not error.retriable:
                raise
            failed = failed or error
    if failed is not None:
        raise failed


_Pair = tuple["MailFile", "Record"]


def _by_partition(
    log: CommitLog, topic: str, source: str, mails: Sequence[MailFile]
) -> dict[TopicPartition, list[_Pair]]:
    batches: dict[TopicPartition, list[_Pair]] = defaultdict(list)
    for mail in mails:
        record = mail.record(source)
        batches[log.partition_for(topic, record.key)].append((mail, record))
    return batches


def _append_unknown(log: CommitLog, ledger: Ledger, source: TopicPartition, batch: list[_Pair]) -> list[Receipt]:
    """Look and append under one lock: between the two no other watcher can append the same mail."""
    with log.exclusive(source):
        ledger.catch_up(log, source)
        known = ledger.find(log, source.topic, {mail.sha256 for mail, _ in batch})
        fresh = {mail.sha256: record for mail, record in batch if mail.sha256 not in known}
        if fresh:
            appended = dict(zip(fresh, log.append(source.topic, list(fresh.values())), strict=True))
            ledger.add(source, appended)
            known |= appended
    return [Receipt(mail, known[mail.sha256], fresh.pop(mail.sha256, None) is not None) for mail, _ in batch]
