"""Claims that no record needs any more are removed; copies that are lost are made again."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from log.claims.index import named_now, needed
from log.claims.owning import own_places
from log.claims.store import CHUNK_BYTES, NotTheClaim
from log.errors import ClaimMissing, ClaimUnavailable, DiskFull, NotEnoughReplicas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from log.claims.claim import Claim
    from log.claims.store import ClaimStore
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Cleaned:
    """What `clean_claims` did."""

    removed: int = 0  # files, copies counted each
    bytes: int = 0  # of these
    restored: int = 0  # claims of which a copy was made again
    missing: int = 0  # claims that a record needs and no place has


@dataclass(frozen=True, slots=True)
class Astray:
    """Claims and records that do not belong together any more."""

    orphans: int  # files that no kept record names, and that cleaning should have removed
    bytes: int  # of these
    missing: tuple[str, ...]  # SHA-256 of claims that records name, and no place has


def astray(log: CommitLog, store: ClaimStore, grace_s: float) -> Astray:
    """Look, and change nothing. Cleaning is done once in `grace_s`, so an orphan is twice as old. Raises LogError."""
    kept = [each for place in store.places if place.owner() == log.log_id for each in place.kept()]
    named, is_whole = named_now(log)
    orphans = [each for each in kept if is_whole and each.name not in named and each.age_s > 2 * grace_s]
    missing = named.keys() - {each.name for each in kept}
    if missing:  # or put since, before its record was: the files were looked at first
        missing -= {each.name for place in store.places if place.owner() == log.log_id for each in place.kept()}
    return Astray(len(orphans), sum(each.size for each in orphans), tuple(sorted(missing)))


def clean_claims(
    log: CommitLog, store: ClaimStore, grace_s: float, progress: Callable[[], None] = lambda: None
) -> Cleaned:
    """Remove claims older than `grace_s` that no kept record of any topic carries; give each place those it lacks.

    Who publishes a mail first puts or renews its claim, then announces it to the index, then appends its record, then
    renews the claim or puts it again (`ClaimStore.keep`). So a claim that was not in the index as read after it was
    looked at, and was not renewed since, has no record, or one whose writer still has the mail and puts it again. The
    grace spares most of them that. Costs by claims, not by records (`needed`); `progress` is called before each record
    that is read, and each claim. Raises LogError when something cannot be read, LogUnusable when a place is another
    log's: then nothing was removed.
    """
    done = Cleaned()
    kept = {place: {each.name: each for each in place.kept()} for place in own_places(log, store.places)}
    named = needed(log, grace_s, progress)
    for place, files in kept.items():
        for name in files.keys() - named.keys():
            if files[name].age_s > grace_s and place.remove(files[name], grace_s):
                done.removed += 1
                done.bytes += files[name].size
        place.sweep(grace_s)
    for name, claim in named.items():
        progress()
        if not all(name in files and files[name].size == claim.size for files in kept.values()):
            _restore(store, claim, done)
    return done


def _restore(store: ClaimStore, claim: Claim, done: Cleaned) -> None:
    """Copy the claim to every place that lacks it."""

    def chunks() -> Iterator[bytes]:
        with store.open_intact(claim) as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    try:
        store.put(claim, chunks)
    except (ClaimMissing, ClaimUnavailable, NotTheClaim, DiskFull, NotEnoughReplicas) as error:
        logger.warning("claim %s: %s", claim.sha256, error, extra={"sha256": claim.sha256})
        done.missing += isinstance(error, (ClaimMissing, NotTheClaim))
    else:
        done.restored += 1
