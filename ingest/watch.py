"""The watcher: takes mails out of folders into the log, and lets go of a file only when the log has it for good.

File events are wake-ups alone, for they get lost; the scan of the folder, at least every `rescan_s`, is the truth.
While the log cannot take mails (a disk full, too few replicas, a partition held by another process) the files stay
where they are, and the watcher tries again with a growing delay, holding no more than one batch in memory.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from watchdog.events import FileClosedEvent, FileCreatedEvent, FileMovedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from ingest.done import finish, put_aside
from ingest.inbox import Inbox
from ingest.ledger import Ledger, LedgerUnavailable
from ingest.mailfile import MailFile, NotTaken, read_mail
from ingest.publish import make_topic, publish
from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from watchdog.observers.api import BaseObserver

    from conf.settings import IngestSettings
    from log.interface import CommitLog

logger = logging.getLogger(__name__)

BATCHES_A_SCAN = 20  # a backlog is listed in portions, so that a million files cost no more memory than these
FIRST_DELAY_S = 0.5
LAST_DELAY_S = 30.0
_EVENTS: list[type[FileSystemEvent]] = [FileCreatedEvent, FileClosedEvent, FileMovedEvent]


@dataclass(slots=True)
class Batch:
    """What became of one batch of files."""

    source: str
    mails: int = 0  # files whose mail the log has, durably
    published: int = 0  # of these: records appended now; the log had the others already
    failed: int = 0  # entries put aside in failed/
    bytes: int = 0  # of the mails published
    seconds: float = 0.0


class _Served(NamedTuple):
    """How a folder was left."""

    more: bool  # there may be more files than were listed
    waiting: bool  # some were not whole yet


class Watcher:
    """Serves the folders of `[ingest]`. One thread runs it; any thread or signal handler may `stop` it."""

    def __init__(self, log: CommitLog, settings: IngestSettings, report: Callable[[Batch], None]) -> None:
        self._log = log
        self._settings = settings
        self._report = report
        self._inboxes = [Inbox(source, settings.settle_s) for source in settings.sources]
        self._ledger = Ledger(settings.ledger)
        self._wakes: SimpleQueue[None] = (
            SimpleQueue()
        )  # a signal handler may put to it, which it must not do to an Event
        self._stopping = False

    def run(self) -> None:
        """Serve until `stop`; the batch in hand is always finished. Raises LogError if trying again is in vain."""
        self._prepare()
        observer = self._observe()
        delay = 0.0
        try:
            while not self._stopping:
                served, error = self._serve_all()
                if error is not None:
                    delay = min(2 * delay, LAST_DELAY_S) if delay else FIRST_DELAY_S
                    logger.warning("%s; the files stay; next try in %.1f s", error, delay)
                    self._pause(delay, wakeable=False)
                else:
                    delay = 0.0
                    self._rest(served)
        finally:
            observer.stop()
            observer.join()
            self._ledger.close()

    def run_once(self) -> None:
        """Take what is there, letting files settle once. Raises LogError, LedgerUnavailable, OSError."""
        self._prepare()
        settled = False
        try:
            while not self._stopping:
                served, error = self._serve_all()
                if error is not None:
                    raise error
                if not served.more:
                    if settled or not served.waiting:
                        return
                    settled = True
                    self._pause(self._settings.settle_s, wakeable=False)
        finally:
            self._ledger.close()

    def stop(self) -> None:
        """Make `run` return after the batch in hand."""
        self._stopping = True
        self._wakes.put(None)

    def wake(self) -> None:
        """Scan now instead of at the next turn."""
        if self._wakes.empty():
            self._wakes.put(None)

    def _prepare(self) -> None:
        for inbox in self._inboxes:
            inbox.make()
        make_topic(self._log, self._settings.topic, self._settings.partitions)

    def _observe(self) -> BaseObserver:
        """File events as wake-ups; without them (inotify's limits) the scans alone do."""
        observer = Observer()
        try:
            observer.start()
            for inbox in self._inboxes:
                observer.schedule(_WakeUp(self.wake), str(inbox.folder), event_filter=_EVENTS)
        except OSError as error:
            logger.warning("no file events (%s): new files are found every %g s", error, self._settings.rescan_s)
        return observer

    def _serve_all(self) -> tuple[_Served, Exception | None]:
        """One portion of each folder; the first error that trying again may cure."""
        more = waiting = False
        first: Exception | None = None
        for inbox in self._inboxes:
            try:
                served = self._serve(inbox)
            except (LogError, LedgerUnavailable, OSError) as error:
                if isinstance(error, LogError) and not error.retriable:
                    raise
                first = first or error
            else:
                more, waiting = more or served.more, waiting or served.waiting
        return _Served(more, waiting), first

    def _serve(self, inbox: Inbox) -> _Served:
        limit = BATCHES_A_SCAN * self._settings.batch_mails
        with inbox.open() as folder:
            listing = inbox.scan(folder, limit)
            for name, what in listing.odd:
                self._put_aside(inbox, folder, name, f"not a mail: {what}")
            for mails in self._batches(inbox, folder, listing.ready):
                self._publish(inbox, folder, mails)
                if self._stopping:
                    break
        return _Served(len(listing.ready) + listing.waiting >= limit, listing.waiting > 0)

    def _batches(self, inbox: Inbox, folder: int, names: Iterable[str]) -> Iterator[list[MailFile]]:
        """The files read, in portions of `batch_mails` or about `batch_bytes`."""
        batch: list[MailFile] = []
        size = 0
        for name in names:
            mail = self._read(inbox, folder, name)
            if mail is None:
                continue
            batch.append(mail)
            size += len(mail.raw)
            if len(batch) >= self._settings.batch_mails or size >= self._settings.batch_bytes:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _read(self, inbox: Inbox, folder: int, name: str) -> MailFile | None:
        """None when there is no mail to publish: gone, put aside, or left for later."""
        try:
            return read_mail(folder, name, self._settings.max_mail_bytes)
        except NotTaken as refusal:
            if refusal.for_good:
                self._put_aside(inbox, folder, name, str(refusal))
            else:
                logger.warning("%s: %a stays for now: %s", inbox.name, name, refusal)
                inbox.postpone(name)
            return None

    def _put_aside(self, inbox: Inbox, folder: int, name: str, reason: str) -> None:
        logger.warning("%s: %a goes to failed/: %s", inbox.name, name, reason)
        put_aside(folder, name, reason, inbox.source.path)
        self._report(Batch(inbox.name, failed=1))

    def _publish(self, inbox: Inbox, folder: int, mails: list[MailFile]) -> None:
        """Publish, then finish what was acknowledged. Raises PartitionBusy for the rest."""
        started = time.monotonic()
        receipts, busy = publish(self._log, self._ledger, self._settings.topic, inbox.name, mails)
        finish(folder, [receipt.mail for receipt in receipts], self._settings.done, inbox.source.path)
        new = [receipt.mail for receipt in receipts if receipt.is_new]
        size = sum(len(mail.raw) for mail in new)
        self._report(Batch(inbox.name, len(receipts), len(new), 0, size, time.monotonic() - started))
        if busy is not None:
            raise busy

    def _rest(self, served: _Served) -> None:
        if not served.more:
            seconds = self._settings.rescan_s
            self._pause(min(self._settings.settle_s, seconds) if served.waiting else seconds)

    def _pause(self, seconds: float, *, wakeable: bool = True) -> None:
        """Wait; `stop` ends it, and so does a file event if `wakeable`."""
        end = time.monotonic() + seconds
        while not self._stopping and (left := end - time.monotonic()) > 0:
            try:
                self._wakes.get(timeout=left)
            except Empty:
                return
            if wakeable:
                return


class _WakeUp(FileSystemEventHandler):
    """Any event means the same: look."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def on_any_event(self, event: FileSystemEvent) -> None:  # noqa: ARG002 -- watchdog's signature
        self._wake()
