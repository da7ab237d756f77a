"""One copy of the claim store: what every kind of place does, and a local folder.

<place>/9f/9f86d081…    the bytes, named by their SHA-256, under its first two digits
        tmp/            being written; renamed when whole
        owner.json      the log's id; in a replica, that of replica.json beside the place
        lock            a folder's alone: renewing a claim and removing it exclude each other
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from log.disk.documents import read_document, write_document
from log.disk.files import FILE_MODE, fsync_folder, make_folder
from log.disk.lock import file_held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.claims.claim import Claim

UNFINISHED = "tmp"
OWNER = "owner.json"
FORMAT = 1  # of that
LOCK_WAIT_S = 10.0  # held for some system calls: who has it longer stands still


class Kept(NamedTuple):
    """A file of the store."""

    name: str  # the SHA-256 in hex
    size: int
    age_s: float  # since it was written or renewed
    state: object  # another one after it was


class Draft(Protocol):
    """A claim being written."""

    def write(self, chunk: bytes, /) -> object:
        """Add to its bytes."""

    def keep(self) -> None:
        """Return when it is durable under its name."""

    def discard(self) -> None:
        """Remove it; does nothing more after `keep`."""


class ClaimPlace(Protocol):
    """One copy. Every call may raise OSError."""

    def owner(self) -> str | None:
        """The id of the log whose place it is; None: it is not said."""

    def own(self, log_id: str) -> str:
        """Say, durably, that it is this log's, unless another was faster. The id of the log whose it is."""

    def draft(self, claim: Claim) -> Draft:
        """Begin to write."""

    def renew(self, claim: Claim) -> bool:
        """Whether the claim is here, durably, and from now on as young as a new one."""

    def open(self, name: str) -> BinaryIO:
        """Its bytes. Raises FileNotFoundError."""

    def kept(self) -> Iterator[Kept]:
        """What is here."""

    def remove(self, kept: Kept, grace_s: float) -> bool:
        """Remove it if it is older than that, and neither written nor renewed since it was found."""

    def sweep(self, grace_s: float) -> None:
        """Remove what writers that died have left."""


class FolderPlace:
    """A local folder. `anchor`, where given, is a file that must be there: else the disk is not mounted."""

    def __init__(self, folder: Path, anchor: Path | None = None) -> None:
        self.folder = folder
        self._anchor = anchor

    def __str__(self) -> str:
        return str(self.folder)

    def owner(self) -> str | None:
        """See ClaimPlace."""
        self._check_mounted()
        found = read_document(self.folder / OWNER)
        if found is None and self._anchor is not None:
            found = read_document(self._anchor)
        return None if found is None else str(found["log_id"])

    def own(self, log_id: str) -> str:
        """See ClaimPlace."""
        with self._locked():
            if (owner := self.owner()) is None:
                write_document(self.folder / OWNER, {"format": FORMAT, "log_id": log_id})
        return owner or log_id

    def draft(self, claim: Claim) -> Draft:
        """See ClaimPlace."""
        self._make(self.folder / UNFINISHED)
        self._make(self._path(claim.sha256).parent)
        return _FileDraft(self.folder / UNFINISHED / f"{claim.sha256}.{uuid.uuid4().hex}", self._path(claim.sha256))

    def renew(self, claim: Claim) -> bool:
        """See ClaimPlace."""
        path = self._path(claim.sha256)
        with self._locked():
            try:
                if path.stat().st_size != claim.size:
                    return False
                os.utime(path)
            except FileNotFoundError:
                return False
        fsync_folder(path.parent)  # who renamed it there may not have come to this
        return True

    def open(self, name: str) -> BinaryIO:
        """See ClaimPlace."""
        self._check_mounted()
        return self._path(name).open("rb")

    def kept(self) -> Iterator[Kept]:
        """See ClaimPlace."""
        now = time.time()
        for path in self.folder.glob("[0-9a-f][0-9a-f]/*"):
            try:
                status = path.stat()
            except FileNotFoundError:  # somebody else has cleaned it away
                continue
            yield Kept(path.name, status.st_size, now - status.st_mtime, _state(status))

    def remove(self, kept: Kept, grace_s: float) -> bool:
        """See ClaimPlace."""
        path = self._path(kept.name)
        with self._locked(), contextlib.suppress(FileNotFoundError):
            status = path.stat()
            if _state(status) == kept.state and time.time() - status.st_mtime > grace_s:
                path.unlink()
                return True
        return False

    def sweep(self, grace_s: float) -> None:
        """See ClaimPlace."""
        for path in self.folder.glob(f"{UNFINISHED}/*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > grace_s:
                    path.unlink()

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name

    def _make(self, folder: Path) -> None:
        self._check_mounted()
        make_folder(folder)

    def _check_mounted(self) -> None:
        """Raises OSError, not FileNotFoundError: nothing is known of what is there."""
        if self._anchor is not None and not self._anchor.is_file():
            raise OSError(errno.ENODEV, "not there; is the disk mounted?", str(self._anchor))

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self._make(self.folder)
        with file_held(self.folder / "lock", LOCK_WAIT_S):
            yield


def _state(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns


class _FileDraft:
    def __init__(self, unfinished: Path, path: Path) -> None:
        self._unfinished, self._path = unfinished, path
        fd = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
        self._file = os.fdopen(fd, "wb", buffering=0)

    def write(self, chunk: bytes, /) -> None:
        rest = memoryview(chunk)
        while rest:
            rest = rest[self._file.write(rest) :]

    def keep(self) -> None:
        os.fsync(self._file.fileno())
        self._file.close()
        self._unfinished.replace(self._path)
        fsync_folder(self._path.parent)

    def discard(self) -> None:
        self._file.close()
        self._unfinished.unlink(missing_ok=True)
