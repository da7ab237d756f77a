"""One pass over a folder: take a share of its files, read them, publish them, and finish those that are settled."""

from __future__ import annotations

import logging
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ingest.folders.done import finish, put_aside
from ingest.folders.mailfile import Limits, MailFile, NotTaken, read_mail
from ingest.metrics import count_mails
from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conf.settings import Settings
    from ingest.accept import Intake, Receipt
    from ingest.folders.inbox import Inbox
    from ingest.folders.shares import Share, Shares

logger = logging.getLogger(__name__)

BATCHES_A_SCAN = 20  # a backlog is listed in portions, so that a million files cost no more memory than these


@dataclass(slots=True)
class Batch:
    """What became of one batch of files."""

    source: str
    mails: int = 0  # files of whose mail it is settled, durably, what becomes
    published: int = 0  # of these: records appended now
    dropped: int = 0  # of these: by a rule; the log had the others already
    failed: int = 0  # entries put aside in failed/
    bytes: int = 0  # of the mails published
    seconds: float = 0.0

    @property
    def known(self) -> int:
        """How many of the mails the log had already."""
        return self.mails - self.published - self.dropped

    def counted(self, source: str) -> Batch:
        """This one, counted as of a source of the settings: of folders below it there may be any number."""
        outcomes = {name: getattr(self, name) for name in ("published", "known", "dropped", "failed")}
        count_mails(source, outcomes, self.bytes, self.seconds if self.mails else None)
        return self

    @classmethod
    def of(cls, source: str, receipts: Sequence[Receipt], seconds: float, failed: int = 0) -> Batch:
        """As the receipts tell."""
        new = [receipt.mail for receipt in receipts if receipt.is_new]
        dropped = sum(receipt.position is None for receipt in receipts)
        return cls(source, len(receipts), len(new), dropped, failed, sum(mail.size for mail in new), seconds)


class Served(NamedTuple):
    """How a folder was left."""

    more: bool = False  # there may be more files than were listed
    waiting: bool = False  # some were not whole yet
    scan_s: float = 0.0  # how long listing them took
    stayed: LogError | None = None  # why one could not be taken now, though the others could


class Server:
    """Serves folders. `carry_on` is called before each step that may take long, and may raise to give up."""

    def __init__(
        self,
        intake: Intake,
        shares: Shares,
        settings: Settings,
        report: Callable[[Batch], None],
        carry_on: Callable[[], None],
    ) -> None:
        self._intake = intake
        self._shares = shares
        self._settings = settings.ingest
        self._limits = Limits(settings.log.inline_max_bytes, settings.ingest.max_mail_bytes)
        self._report = report
        self._carry_on = carry_on
        self._stayed: LogError | None = None

    def serve(self, inbox: Inbox) -> Served:
        """Take one portion of the folder's files. Raises LogError, LedgerUnavailable, OSError: the others stay."""
        limit, self._stayed = BATCHES_A_SCAN * self._settings.batch_mails, None
        started = time.monotonic()
        with inbox.open() as folder:
            listing = inbox.scan(folder, limit, started)
            scan_s = time.monotonic() - started
            for name, what in listing.odd:
                self._put_aside(inbox, folder, name, f"not a mail: {what}")
            more = len(listing.ready) + listing.waiting >= limit
            names = listing.ready
            while names:
                self._carry_on()
                with self._shares.take(str(inbox.folder), names, self._settings.batch_mails) as share:
                    if not self._serve_share(inbox, folder, share):
                        more = True
                        break
                    names = names[names.index(share.names[-1]) + 1 :] if share.names else []
        return Served(more, listing.waiting > 0, scan_s, self._stayed)

    def _serve_share(self, inbox: Inbox, folder: int, share: Share) -> bool:
        """Whether it was published; not so when older files, in another watcher's hands, have not gone."""
        is_our_turn = False
        for files in self._batches(inbox, folder, share.names):
            with _closing(files):
                is_our_turn = is_our_turn or self._shares.wait(share, _is_gone(inbox, folder), self._carry_on)
                if not is_our_turn:
                    return False
                self._publish(inbox, folder, files)
        return is_our_turn or self._shares.wait(share, _is_gone(inbox, folder), self._carry_on)

    def _batches(self, inbox: Inbox, folder: int, names: Iterable[str]) -> Iterator[list[MailFile]]:
        """The files read, in portions of about `batch_bytes`."""
        batch: list[MailFile] = []
        size = 0
        with _closing(batch):
            for name in names:
                file = self._read(inbox, folder, name)
                if file is None:
                    continue
                batch.append(file)
                size += file.mail.size
                if size >= self._settings.batch_bytes:
                    yield _given_away(batch)
                    size = 0
            if batch:
                yield _given_away(batch)

    def _read(self, inbox: Inbox, folder: int, name: str) -> MailFile | None:
        """None when there is no mail to publish: gone, put aside, or left for later."""
        try:
            return read_mail(folder, name, inbox.name, self._limits, self._carry_on)
        except NotTaken as refusal:
            if refusal.for_good:
                self._put_aside(inbox, folder, name, str(refusal))
            else:
                self._leave(inbox, name, str(refusal))
            return None

    def _leave(self, inbox: Inbox, name: str, reason: str) -> None:
        logger.warning("%s: %a stays for now: %s", inbox.name, name, reason, extra={"source": inbox.name, "file": name})
        inbox.postpone(name, time.monotonic())

    def _put_aside(self, inbox: Inbox, folder: int, name: str, reason: str) -> None:
        try:
            is_aside = put_aside(folder, name, reason, inbox.source.path, self._limits.taken)
        except OSError as error:
            self._leave(inbox, name, f"{reason}, and cannot go to failed/: {error.strerror}")
        else:
            if is_aside:
                about = {"source": inbox.name, "file": name}
                logger.warning("%s: %a has gone to failed/: %s", inbox.name, name, reason, extra=about)
                self._report(Batch(inbox.name, failed=1).counted(inbox.served_as))

    def _publish(self, inbox: Inbox, folder: int, files: list[MailFile]) -> None:
        """Publish, then finish what was acknowledged. Raises PartitionBusy for the rest."""
        started = time.monotonic()
        by_name = {file.name: file for file in files}
        receipts, unclaimed, busy = self._intake.accept(file.mail for file in files)
        self._finish(inbox, folder, [by_name[receipt.mail.name] for receipt in receipts])
        for mail, why in unclaimed:
            if isinstance(why, LogError):
                self._stayed = why
            self._leave(inbox, mail.name, str(why) if isinstance(why, LogError) else "still being written")
        self._report(Batch.of(inbox.name, receipts, time.monotonic() - started).counted(inbox.served_as))
        if busy is not None:
            raise busy

    def _finish(self, inbox: Inbox, folder: int, files: list[MailFile]) -> None:
        if inbox.kept is not None:
            inbox.kept.add(files)
        else:
            for file, error in finish(folder, files, inbox.source.path, move=inbox.source.done == "move"):
                self._leave(inbox, file.name, f"is in the log, but its folder keeps it: {error.strerror}")


@contextmanager
def _closing(files: list[MailFile]) -> Iterator[None]:
    try:
        yield
    finally:
        for file in files:
            file.close()


def _given_away(batch: list[MailFile]) -> list[MailFile]:
    """The files, for the caller to close: a descriptor that is closed twice may be another thread's by then."""
    files = batch.copy()
    batch.clear()
    return files


def _is_gone(inbox: Inbox, folder: int) -> Callable[[str], bool]:
    """Tells of a file whether it needs no taking any more."""

    def ask(name: str) -> bool:
        try:
            os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return True
        return inbox.kept is not None

    return ask
