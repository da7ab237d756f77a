"""The watcher: takes mails out of folders into the log, and lets go of a file only when the log has it for good.

File events are wake-ups alone, for they get lost; the scan of the folder, at least every `rescan_s`, is the truth.
While the log cannot take mails (a disk full, too few replicas, a partition held by another process) the files stay
where they are, and the watcher tries again with a growing delay, holding no more than one batch in memory. A folder
that makes trouble delays no other. Several watchers share a folder's files, and publish them in the order in which they
took them.
"""

from __future__ import annotations

import logging
import os
import time
from contextlib import closing, contextmanager, suppress
from pathlib import PurePath
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from watchdog.events import FileClosedEvent, FileCreatedEvent, FileMovedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from conf.heartbeat import BEAT_S
from conf.printable import said
from ingest.accept import Intake
from ingest.folders.folders import Folders
from ingest.folders.inbox import check_source
from ingest.folders.serving import Batch, Served, Server
from ingest.folders.shares import OthersBusy, Shares
from ingest.ledger.file import LedgerUnavailable
from ingest.tending import tending
from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from watchdog.observers.api import BaseObserver

    from conf.settings import Settings, SourceSettings
    from log.interface import CommitLog

logger = logging.getLogger(__name__)

TRY_AGAIN = (LogError, LedgerUnavailable, OthersBusy, OSError)
SCANS_SHARE = 3  # scans take at most one in so many seconds: a folder of kept files may be large
_EVENTS: list[type[FileSystemEvent]] = [FileCreatedEvent, FileClosedEvent, FileMovedEvent]


class _Stopping(Exception):
    """`stop` was called: what is not published yet stays."""


class Watcher:
    """Serves the folders of `[ingest]`. One thread runs it, and calls `beat` whenever it gets on.

    Any thread or signal handler may `stop` it.
    """

    def __init__(
        self,
        log: CommitLog,
        settings: Settings,
        report: Callable[[Batch], None],
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._beat = beat
        self._log_settings = settings.log
        self._settings = settings.ingest
        self._intake = Intake(log, settings, carry_on=self._carry_on)
        self._shares = Shares(settings.ingest.ledger.with_name(settings.ingest.ledger.name + ".watchers"))
        self._folders = Folders(settings.ingest, self._intake.ledger)
        self._server = Server(self._intake, self._shares, settings, report, self._carry_on)
        self._wakes: SimpleQueue[None] = SimpleQueue()  # a signal handler may put to it, unlike to an Event
        self._stopping = False

    def run(self) -> None:
        """Serve until `stop`; the batch in hand is finished. Raises LogError if trying again is in vain."""
        with closing(self._intake), closing(self._shares), tending(self._log_settings), self._events():
            while not self._stopping:
                served, _ = self._serve_all()
                self._rest(served)

    def run_once(self) -> None:
        """Take what is there, letting files settle once. Raises the first of TRY_AGAIN, behind other folders."""
        with closing(self._intake), closing(self._shares):
            settled, stayed = False, None
            while not self._stopping:
                served, error = self._serve_all(once=True)
                stayed = stayed or error or served.stayed
                if not served.more:
                    if settled or not served.waiting:
                        break
                    settled = True
                    self._pause(self._settings.settle_s, wakeable=False)
        if stayed is not None:
            raise stayed

    def stop(self) -> None:
        """Make `run` return after the batch in hand."""
        self._stopping = True
        self._wakes.put(None)

    def wake(self) -> None:
        """Scan now instead of at the next turn."""
        if self._wakes.empty():
            self._wakes.put(None)

    @contextmanager
    def _events(self) -> Iterator[None]:
        """File events as wake-ups; without them (inotify's limits) the scans alone do."""
        try:
            observer = Observer()
        except OSError as error:
            self._miss_events(error)
            yield
            return
        try:
            observer.start()
            for source in self._settings.sources:
                self._observe(observer, source)
            yield
        finally:
            observer.stop()
            observer.join()

    def _observe(self, observer: BaseObserver, source: SourceSettings) -> None:
        folder = source.path / "new" if source.kind == "maildir" and not source.recursive else source.path
        handler = _WakeUp(self.wake, "new" if source.kind == "maildir" else None)
        try:
            check_source(source)
            observer.schedule(handler, str(folder), recursive=source.recursive, event_filter=_EVENTS)
        except OSError as error:
            self._miss_events(error)

    def _miss_events(self, error: OSError) -> None:
        logger.warning("no file events (%s): new files are found every %g s", said(error), self._settings.rescan_s)

    def _carry_on(self) -> None:
        self._beat()
        if self._stopping:
            raise _Stopping

    def _serve_all(self, *, once: bool = False) -> tuple[Served, Exception | None]:
        """One portion of each folder whose time it is: how they were left, and the first error, which `once` raises."""
        left: list[Served] = []
        errors: list[Exception] = []
        for inbox in self._folders.look():
            if inbox.delay.left_s:
                continue
            try:
                self._intake.make_topics()
                left.append(self._server.serve(inbox))
                inbox.delay.end()
            except _Stopping:
                break
            except TRY_AGAIN as error:
                if isinstance(error, LogError) and not error.retriable:
                    raise
                delay_s = inbox.delay.grow()
                next_try = "" if once else f"; next try in {delay_s:.1f} s"
                if errors or not once:
                    logger.warning("%s: %s; the files stay%s", inbox.name, said(error), next_try)
                errors.append(error)
        more, waiting = any(each.more for each in left), any(each.waiting for each in left)
        stayed = next((each.stayed for each in left if each.stayed), None)
        return Served(more, waiting, sum(each.scan_s for each in left), stayed), next(iter(errors), None)

    def _rest(self, served: Served) -> None:
        if not served.more:
            self._pause(min((SCANS_SHARE - 1) * served.scan_s, self._settings.rescan_s), wakeable=False)
            waits = [self._settings.rescan_s, *self._folders.delays()]
            self._pause(min(waits + [self._settings.settle_s] * served.waiting))

    def _pause(self, seconds: float, *, wakeable: bool = True) -> None:
        """Wait; `stop` ends it, and so does a file event if `wakeable`, or else it ends the next wait that is."""
        end = time.monotonic() + seconds
        woken = False
        while not self._stopping and not (woken and wakeable) and (left := end - time.monotonic()) > 0:
            self._beat()
            with suppress(Empty):
                self._wakes.get(timeout=min(left, BEAT_S))
                woken = True
        if woken and not wakeable:
            self.wake()


class _WakeUp(FileSystemEventHandler):
    """Any event means the same: look. None is what gets a hidden name, or happens in a Maildir's `tmp` and `cur`."""

    def __init__(self, wake: Callable[[], None], parent: str | None) -> None:
        self._wake = wake
        self._parent = parent

    def on_any_event(self, event: FileSystemEvent) -> None:
        """See the class."""
        path = PurePath(os.fsdecode(event.dest_path or event.src_path))
        if not path.name.startswith(".") and (self._parent is None or path.parent.name == self._parent):
            self._wake()
