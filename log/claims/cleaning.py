"""Claims that no record needs any more are removed; copies that are lost are made again."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from log.claims.claim import Claim, claim_of
from log.claims.store import CHUNK_BYTES, NotTheClaim
from log.errors import ClaimMissing, ClaimUnavailable, DiskFull, NotEnoughReplicas, OffsetOutOfRange
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from log.claims.store import ClaimStore
    from log.interface import CommitLog
    from log.types import StoredRecord

logger = logging.getLogger(__name__)

READ_BYTES = 8 << 20


@dataclass(slots=True)
class Cleaned:
    """What `clean_claims` did."""

    removed: int = 0  # files, copies counted each
    bytes: int = 0  # of these
    restored: int = 0  # claims of which a copy was made again
    missing: int = 0  # claims that a record needs and no place has


def clean_claims(log: CommitLog, store: ClaimStore, grace_s: float) -> Cleaned:
    """Remove claims older than `grace_s` that no kept record of any topic carries; give each place those it lacks.

    Who publishes a mail first puts or renews its claim, then appends its record, all within the grace. So a claim that
    is old, not in the log as read after it was found to be old, and old still, has no record and will get none.
    Costs one reading of the whole log. Raises LogError when some of it cannot be read: then nothing was removed.
    """
    done = Cleaned()
    kept = {place: {each.name: each for each in place.kept()} for place in store.places}
    needed = {claim.sha256: claim for topic in log.topics() for claim in _claims_in(log, topic)}
    for place, files in kept.items():
        for name in files.keys() - needed.keys():
            if files[name].age_s > grace_s and place.remove(name, grace_s):
                done.removed += 1
                done.bytes += files[name].size
        place.sweep(grace_s)
    for name, claim in needed.items():
        if not all(name in files and files[name].size == claim.size for files in kept.values()):
            _restore(store, claim, done)
    return done


def _claims_in(log: CommitLog, topic: str) -> Iterator[Claim]:
    for partition in range(len(log.describe(topic))):
        source = TopicPartition(topic, partition)
        offset = log.span(source).start
        while records := _read(log, source, offset):
            for record in records:
                try:
                    claim = claim_of(record)
                except ValueError as error:
                    logger.warning("%s, offset %d: %s", source, record.offset, error)
                else:
                    if claim is not None:
                        yield claim
            offset = records[-1].offset + 1


def _read(log: CommitLog, source: TopicPartition, offset: int) -> Sequence[StoredRecord]:
    try:
        return log.read(source, offset, READ_BYTES)
    except OffsetOutOfRange:  # retention went past us
        return log.read(source, log.span(source).start, READ_BYTES)


def _restore(store: ClaimStore, claim: Claim, done: Cleaned) -> None:
    """Copy the claim to every place that lacks it."""

    def chunks() -> Iterator[bytes]:
        with store.open(claim) as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    try:
        store.put(claim, chunks)
    except (ClaimMissing, ClaimUnavailable, NotTheClaim, DiskFull, NotEnoughReplicas) as error:
        logger.warning("claim %s: %s", claim.sha256, error)
        done.missing += isinstance(error, (ClaimMissing, NotTheClaim))
    else:
        done.restored += 1
