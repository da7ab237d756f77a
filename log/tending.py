"""What is due now and then: what the log does for itself, and in its claim store what no record needs any more."""

from __future__ import annotations

import fcntl
import os
import time
from typing import TYPE_CHECKING

from log.claims import clean_claims, open_claims
from log.claims.index import named_now
from log.errors import LogError
from log.metrics import count_tended
from log.types import Tended

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from log.claims import ClaimOptions, ClaimStore, Cleaned
    from log.interface import CommitLog

TENDED = "tended"  # in the root, locked by who tends it
CLEANED = "claims.cleaned"  # there, too: its time is when cleaning the claims was last begun


def tend(log: CommitLog, options: ClaimOptions, progress: Callable[[], None] = lambda: None) -> list[Tended]:
    """Do what is due, see `CommitLog.tend`; claims are cleaned at most once in `claim_grace_s`.

    One process at a time does so: for another one nothing is due. Raises LogError, OSError.
    """
    lock = os.open(options.root / TENDED, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return []
    else:
        done = [*log.tend(progress), *_tend_claims(log, options, progress)]
        count_tended(done)
        return done
    finally:
        os.close(lock)


def _tend_claims(log: CommitLog, options: ClaimOptions, progress: Callable[[], None]) -> list[Tended]:
    store = open_claims(options)
    try:
        if not _is_due(options.root / CLEANED, options.claim_grace_s) or not _has_claims(log, store):
            return []
        cleaned = clean_claims(log, store, options.claim_grace_s, progress)
    except (LogError, OSError) as error:
        return [_said(f"claims are not cleaned: {error}", ok=False)]
    is_news = cleaned.removed + cleaned.restored + cleaned.missing > 0
    return [_said(_summary(cleaned), ok=not cleaned.missing)] if is_news else []


def _is_due(file: Path, every_s: float) -> bool:
    """Whether it is so long since it was, which is noted. A clock that was set back ends the wait."""
    is_due = not file.exists() or not 0 <= time.time() - file.stat().st_mtime <= every_s
    if is_due:
        file.touch(mode=0o600)
    return is_due


def _has_claims(log: CommitLog, store: ClaimStore) -> bool:
    """Whether there are any to look after, also where the disk that has them is away."""
    return any(True for place in store.places for _ in place.kept()) or bool(named_now(log).claims)


def _summary(cleaned: Cleaned) -> str:
    return (
        f"{cleaned.removed} files of claims ({cleaned.bytes} bytes) removed, {cleaned.restored} claims copied again, "
        f"{cleaned.missing} missing"
    )


def _said(detail: str, *, ok: bool) -> Tended:
    return Tended("", 0, "claims", ok, detail)
