"""From mails that arrived together to a reply for each of their recipients."""

from __future__ import annotations

import logging
import os
import time
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import count
from typing import TYPE_CHECKING

from ingest.accept import Intake
from ingest.folders.serving import Batch
from ingest.ledger.file import LedgerUnavailable
from ingest.lmtp import replies
from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conf.settings import Settings
    from ingest.accept import Receipt
    from ingest.incoming import Incoming
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail, and whom it came for."""

    incoming: Incoming
    recipients: tuple[str, ...]


class Deliveries:
    """Publishes arrivals. For one thread, but for its making.

    Each recipient is a source of its own, `lmtp:<address>`, which routes can tell apart and the journal names.
    """

    def __init__(
        self,
        log: CommitLog,
        settings: Settings,
        report: Callable[[Batch], None],
        beat: Callable[[], None] = lambda: None,  # called while it gets on
    ) -> None:
        self._beat = beat
        self._intake = Intake(log, settings, carry_on=self._carry_on)
        self._held_bytes = settings.log.inline_max_bytes
        self._report = report
        self._names = (f"{os.getpid()}.{number}" for number in count(1))
        self._ending = False

    def begin(self) -> None:
        """Have topics and a ledger that is caught up, so that no sender waits. Raises LogError, LedgerUnavailable."""
        self._intake.make_topics()

    def end(self) -> None:
        """Wait for no lock any more; what is not published is to be tried again. From any thread."""
        self._ending = True

    def close(self) -> None:
        """Let go of the ledger's file."""
        self._intake.close()

    def publish(self, arrivals: Sequence[Arrival]) -> list[list[str]]:
        """A reply for each recipient of each mail: 250 when its fate is durable, 451 when it cannot be settled now."""
        started = time.monotonic()
        try:
            sessions = [
                each.incoming.mails(
                    [f"lmtp:{name}" for name in each.recipients], next(self._names), self._held_bytes, self._beat
                )
                for each in arrivals
            ]
            accepted = self._intake.accept(mail for mails in sessions for mail in mails)
        except (LogError, LedgerUnavailable, OSError, _Ending) as error:
            logger.warning("%d mails not taken now: %s", len(arrivals), error)
            return [[replies.NOT_NOW] * len(each.recipients) for each in arrivals]
        if accepted.busy:
            logger.warning("some mails not taken now: %s", accepted.busy)
        for each in accepted.unclaimed:
            logger.warning("a mail not taken now: %s", each.why, extra=each.mail.about())
        self._report(Batch.of("lmtp", accepted.receipts, time.monotonic() - started).counted("lmtp"))
        receipts = {id(receipt.mail): receipt for receipt in accepted.receipts}
        return [[_reply(receipts.get(id(mail))) for mail in mails] for mails in sessions]

    def _carry_on(self) -> None:
        self._beat()
        if self._ending:
            raise _Ending("the daemon is ending")


class _Ending(Exception):
    """`end` was called."""


def taker(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether an address is among the recipients; case is ignored."""
    lowered = [pattern.lower() for pattern in patterns]
    return lambda address: any(fnmatchcase(address.lower(), pattern) for pattern in lowered)


def _reply(receipt: Receipt | None) -> str:
    if receipt is None:
        return replies.NOT_NOW
    if receipt.position is None:
        return replies.DROPPED
    return replies.durable(receipt.position, is_new=receipt.is_new)
