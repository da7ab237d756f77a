"""What is due now and then: what the log does for itself, and in its claim store what no record needs any more."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from log.claims import clean_claims, open_claims
from log.errors import LogError
from log.types import Tended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.claims import ClaimOptions, Cleaned
    from log.interface import CommitLog

CLEANED = "claims.cleaned"  # in the log's root: locked while claims are cleaned; its time is when that was last begun


def tend(log: CommitLog, options: ClaimOptions) -> list[Tended]:
    """Do what is due, see `CommitLog.tend`; claims are cleaned at most once in `claim_grace_s`, by one process."""
    return [*log.tend(), *_tend_claims(log, options)]


def _tend_claims(log: CommitLog, options: ClaimOptions) -> list[Tended]:
    store = open_claims(options)
    try:
        with _turn(log.root / CLEANED, options.claim_grace_s) as is_ours:
            if not is_ours or not any(True for place in store.places for _ in place.kept()):
                return []
            cleaned = clean_claims(log, store, options.claim_grace_s)
    except (LogError, OSError) as error:
        return [_said(f"claims are not cleaned: {error}", ok=False)]
    is_news = cleaned.removed + cleaned.restored + cleaned.missing > 0
    return [_said(_summary(cleaned), ok=not cleaned.missing)] if is_news else []


@contextmanager
def _turn(file: Path, every_s: float) -> Iterator[bool]:
    """Whether nobody is at it, and nobody was for so long. Also a clock that was set back ends the wait."""
    opened = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _is_free(opened) and _is_due(opened, every_s)
    finally:
        os.close(opened)


def _is_free(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_due(file: int, every_s: float) -> bool:
    """Whether it is, which is noted."""
    status = os.fstat(file)
    is_due = not status.st_size or not 0 <= time.time() - status.st_mtime <= every_s
    if is_due:
        os.pwrite(file, b"\n", 0)
    return is_due


def _summary(cleaned: Cleaned) -> str:
    return (
        f"{cleaned.removed} files of claims ({cleaned.bytes} bytes) removed, {cleaned.restored} claims copied again, "
        f"{cleaned.missing} missing"
    )


def _said(detail: str, *, ok: bool) -> Tended:
    return Tended("", 0, "claims", ok, detail)
