"""From mails that arrived together to a reply for each of their recipients."""

from __future__ import annotations

import hashlib
import logging
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from ingest.ledger import Ledger, LedgerUnavailable
from ingest.mailfile import FileIdentity, MailFile
from ingest.publish import publish
from ingest.watch import Batch
from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conf.settings import IngestSettings
    from ingest.lmtp.commit import Arrival
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


class Deliveries:
    """Publishes arrivals. One object a thread."""

    def __init__(self, log: CommitLog, settings: IngestSettings, report: Callable[[Batch], None]) -> None:
        self._log = log
        self._settings = settings
        self._report = report
        self._ledger = Ledger(settings.ledger)

    def close(self) -> None:
        """Let go of the ledger's file."""
        self._ledger.close()

    def __call__(self, arrivals: Sequence[Arrival]) -> list[list[str]]:
        """A reply for each recipient of each mail: 250 when the log has the mail durably, 451 when not now.

        A recipient is a source of its own, so that routes can tell recipients apart.
        """
        fates: dict[tuple[int, str], str] = {}
        indices: dict[str, list[int]] = defaultdict(list)
        for index, arrival in enumerate(arrivals):
            for recipient in dict.fromkeys(arrival.recipients):
                indices[recipient].append(index)
        for recipient, wanted in indices.items():
            replies = self._publish(f"lmtp:{recipient}", [arrivals[index].raw for index in wanted])
            fates.update(zip(((index, recipient) for index in wanted), replies, strict=True))
        return [
            [fates[index, recipient] for recipient in arrival.recipients] for index, arrival in enumerate(arrivals)
        ]

    def _publish(self, source: str, raws: list[bytes]) -> list[str]:
        started = time.monotonic()
        mails = [
            MailFile(str(number), FileIdentity(0, 0, len(raw), time.time_ns()), raw, hashlib.sha256(raw).hexdigest())
            for number, raw in enumerate(raws)
        ]
        try:
            receipts, busy = publish(self._log, self._ledger, self._settings.topic, source, mails)
        except (LogError, LedgerUnavailable, OSError) as error:
            logger.warning("%s: %d mails not taken now: %s", source, len(mails), error)
            return ["451 4.3.0 not taken now; try again"] * len(mails)
        new = [receipt.mail for receipt in receipts if receipt.is_new]
        size = sum(len(mail.raw) for mail in new)
        self._report(Batch(source, len(receipts), len(new), 0, size, time.monotonic() - started))
        told = {receipt.mail.name: f"250 2.0.0 {receipt.position}" for receipt in receipts}
        return [told.get(mail.name, f"451 4.3.0 {busy}") for mail in mails]
