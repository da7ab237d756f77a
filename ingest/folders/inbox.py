"""Which files of a watched folder may be taken: whole regular files, oldest first.

A Maildir's `new/` holds whole files by its own protocol (written in `tmp/`, then renamed). A file in a drop folder is
whole when its size and times have stayed the same for `settle_s`. Names that start with a dot are some program's work
in progress and stay; what a watcher held when it died has its name back at the first scan, or when it has been seen
so for `HELD_S`, which no watcher takes. Symbolic links, FIFOs, sockets and devices are told apart without opening them.
"""

from __future__ import annotations

import errno
import heapq
import logging
import math
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.folders.done import release
from ingest.folders.holding import HELD
from ingest.folders.mailfile import identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from conf.settings import SourceSettings
    from ingest.folders.kept import KeptFiles

FIRST_DELAY_S = 0.5  # of a folder
LAST_DELAY_S = 30.0
FIRST_RETRY_S = 1.0  # of a file
LAST_RETRY_S = 300.0
MAILDIR = ("tmp", "new", "cur")
A_MAILDIR = 'tmp/, new/ and cur/ lie in it, so it is a Maildir: set kind = "maildir"'
HELD_S = 60.0  # what is held longer, its watcher has died

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Listing:
    """What one scan of a folder found."""

    ready: list[str] = field(default_factory=list)  # whole files, oldest first
    odd: list[tuple[str, str]] = field(default_factory=list)  # name, and what it is instead of a file
    waiting: int = 0  # files that are not whole yet


def check_source(source: SourceSettings) -> None:
    """Raises FileNotFoundError where the folder is missing: one made in its place would hide an unmounted disk.

    So would a `new/` made in a Maildir's mount point. Raises OSError where files cannot be taken out of it.
    """
    is_maildir = source.kind == "maildir" and not source.recursive  # with it the Maildirs may all be below
    folders = [source.path, *([source.path / "new"] if is_maildir else [])]
    for folder in folders:
        if not folder.is_dir():
            parts = " ".join(f"{source.path}/{name}" for name in MAILDIR) if source.kind == "maildir" else source.path
            raise FileNotFoundError(errno.ENOENT, f"no such folder: mount its disk, or `mkdir -p {parts}`", str(folder))
    if os.statvfs(folders[-1]).f_flag & os.ST_RDONLY:
        raise OSError(
            errno.EROFS, "its file system is mounted read-only, so no file can be taken out", str(folders[-1])
        )
    if not os.access(folders[-1], os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "not ours to take files out of", str(folders[-1]))


def is_maildir(folder: Path) -> bool:
    """Whether it has a Maildir's folders."""
    return all((folder / name).is_dir() for name in MAILDIR)


def holds_a_maildir(source: SourceSettings) -> bool:
    """Whether a drop folder is a Maildir in truth, whose mails nobody takes, or whose unfinished ones too."""
    return source.kind == "drop" and is_maildir(source.path)


class Delay:
    """How long to leave a folder alone that made trouble: longer each time."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._end = 0.0

    @property
    def left_s(self) -> float:
        """Seconds until it is tried again; 0 if it may be now."""
        return max(self._end - time.monotonic(), 0.0)

    def grow(self) -> float:
        """There was trouble; the seconds from now."""
        self._seconds = min(2 * self._seconds, LAST_DELAY_S) or FIRST_DELAY_S
        self._end = time.monotonic() + self._seconds
        return self._seconds

    def end(self) -> None:
        """There is none any more."""
        self._seconds = self._end = 0.0


class _Seen(NamedTuple):
    """A file of a drop folder as it last changed."""

    size: int
    mtime_ns: int
    since: float  # monotonic clock, seconds


class _Retry(NamedTuple):
    """A file that could not be read."""

    at: float  # monotonic clock, seconds
    delay: float


class Inbox:
    """One folder. Keeps what must be remembered between scans: what has settled, and what to try later."""

    def __init__(
        self, source: SourceSettings, settle_s: float, kept: KeptFiles | None = None, *, below: Path | None = None
    ) -> None:
        self.source = source
        self._root = below or source.path  # which the settings name; it may be a link, what lies below it may not
        self.kept = kept  # where files stay that were taken
        self.folder: Path = source.path / "new" if source.kind == "maildir" else source.path
        self._settle_s = settle_s if source.kind == "drop" else 0.0
        self.delay = Delay()
        self._held: dict[str, float] | None = None  # since when (monotonic clock) names were seen; None: no scan yet
        self._not_released = set[str]()
        self._seen: dict[str, _Seen] = {}
        self._retries: dict[str, _Retry] = {}

    @property
    def name(self) -> str:
        """How records and messages name this source."""
        return f"{self.source.kind}:{self.source.path}"

    @property
    def served_as(self) -> str:
        """The same of the source that the settings name, if it is a folder below one."""
        return f"{self.source.kind}:{self._root}"

    @contextmanager
    def open(self) -> Iterator[int]:
        """The folder's descriptor: names are resolved against it, so that nobody can swap the folder under a pass.

        Raises as `check_source`.
        """
        check_source(self.source)
        folder = _open_below(self._root, self.folder.relative_to(self._root).parts)
        try:
            yield folder
        finally:
            os.close(folder)

    def scan(self, folder: int, limit: int, now: float) -> Listing:
        """The oldest `limit` files. Costs one `stat` a file, opens none, and keeps no more than `limit` names.

        `now` is of the monotonic clock, in seconds.
        """
        self._release(folder, now)
        if self.kept is not None:
            self.kept.refresh()
        listing = Listing()
        oldest = heapq.nsmallest(limit, self._files(folder, listing, now))
        if not self._settle_s:
            listing.ready = [name for _, name, _ in oldest]
            return listing
        seen, self._seen = self._seen, {}
        for mtime_ns, name, size in oldest:
            before = seen.get(name)
            same = before is not None and (before.size, before.mtime_ns) == (size, mtime_ns)
            self._seen[name] = before if before and same else _Seen(size, mtime_ns, now)
            if now - self._seen[name].since >= self._settle_s:
                listing.ready.append(name)
            else:
                listing.waiting += 1
        return listing

    def _release(self, folder: int, now: float) -> None:
        if self._held is None:
            self._held = {name: -math.inf for name in os.listdir(folder) if name.startswith(HELD)}
        failed = release(folder, [name for name, since in self._held.items() if now - since >= HELD_S])
        for name, error in failed:
            self._held[name] = now
            if name not in self._not_released:
                about = {"source": self.name, "file": name}
                logger.warning("%s: %a cannot have its name back: %s", self.name, name, error.strerror, extra=about)
        self._not_released = {name for name in self._not_released if name in self._held} | {name for name, _ in failed}

    def postpone(self, name: str, now: float) -> None:
        """Leave the file alone for a while from `now` on (monotonic clock, seconds); twice as long each time."""
        last = self._retries.get(name)
        delay = min(2 * last.delay, LAST_RETRY_S) if last else FIRST_RETRY_S
        self._retries[name] = _Retry(now + delay, delay)

    def _files(self, folder: int, listing: Listing, now: float) -> Iterator[tuple[int, str, int]]:
        """Regular files to be taken now: mtime, name, size."""
        kept, inodes = self.kept, set[int]()
        for entry in self._entries(folder, listing, now):
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if kept is not None:
                inodes.add(status.st_ino)
                if identity(status) in kept:
                    continue
            yield status.st_mtime_ns, entry.name, status.st_size
        if kept is not None:
            kept.keep_only(inodes)

    def _entries(self, folder: int, listing: Listing, now: float) -> Iterator[os.DirEntry[str]]:
        """Regular files that are not postponed; what is odd goes into the listing."""
        retries, self._retries = self._retries, {}  # names that have gone are forgotten
        held, self._held = self._held or {}, {}
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    if entry.name.startswith(HELD):
                        self._held[entry.name] = held.get(entry.name, now)
                    continue
                if retries and entry.name in retries:
                    self._retries[entry.name] = retries[entry.name]
                    if now < retries[entry.name].at:
                        continue
                if entry.is_file(follow_symlinks=False):
                    yield entry
                elif what := self._odd(entry):
                    listing.odd.append((entry.name, what))

    def _odd(self, entry: os.DirEntry[str]) -> str | None:
        """What stands where a mail should; None for what may stay, and for what has gone."""
        if entry.is_symlink():
            return "a symbolic link"
        if entry.is_dir(follow_symlinks=False):
            return "a directory" if self.source.kind == "maildir" else None  # a drop folder may hold folders
        return "a FIFO, socket or device" if _exists(entry) else None


def _exists(entry: os.DirEntry[str]) -> bool:
    try:
        entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _open_below(root: Path, names: Sequence[str]) -> int:
    """The folder's descriptor, each name on the way opened as it is: who may write there could lead us elsewhere.

    Raises OSError, for a link too.
    """
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for name in names:
        try:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        except NotADirectoryError:
            what = "is no folder, or a link: name the folder itself in [ingest]"
            raise OSError(errno.ELOOP, what, str(root / name)) from None
        finally:
            os.close(folder)
        folder = inner
    return folder
