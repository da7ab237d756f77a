"""One copy of the claim store: a local folder, or whatever fsspec opens by a URL.

<place>/9f/9f86d081…    the bytes, named by their SHA-256, under its first two digits
        tmp/            being written; renamed when whole
        lock            a folder's alone: renewing a claim and removing it exclude each other
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol, cast

from log.embedded.files import FILE_MODE, fsync_folder, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.claims.claim import Claim

UNFINISHED = "tmp"


class Kept(NamedTuple):
    """A file of the store."""

    name: str  # the SHA-256 in hex
    size: int
    age_s: float  # since it was written or renewed


class Draft(Protocol):
    """A claim being written."""

    def write(self, chunk: bytes, /) -> object:
        """Add to its bytes."""

    def keep(self) -> None:
        """Return when it is durable under its name."""

    def discard(self) -> None:
        """Remove it; does nothing more after `keep`."""


class Place(Protocol):
    """One copy. Every call may raise OSError."""

    def draft(self, claim: Claim) -> Draft:
        """Begin to write."""

    def renew(self, claim: Claim) -> bool:
        """Whether the claim is here, durably, and from now on as young as a new one."""

    def open(self, name: str) -> BinaryIO:
        """Its bytes. Raises FileNotFoundError."""

    def kept(self) -> Iterator[Kept]:
        """What is here."""

    def remove(self, name: str, grace_s: float) -> bool:
        """Remove it if it is older than that."""

    def sweep(self, grace_s: float) -> None:
        """Remove what writers that died have left."""


class FolderPlace:
    """A local folder. `anchor`, where given, is a file that must be there: else the disk is not mounted."""

    def __init__(self, folder: Path, anchor: Path | None = None) -> None:
        self.folder = folder
        self._anchor = anchor

    def __str__(self) -> str:
        return str(self.folder)

    def draft(self, claim: Claim) -> Draft:
        """See Place."""
        self._make(self.folder / UNFINISHED)
        self._make(self._path(claim.sha256).parent)
        return _FileDraft(self.folder / UNFINISHED / f"{claim.sha256}.{uuid.uuid4().hex}", self._path(claim.sha256))

    def renew(self, claim: Claim) -> bool:
        """See Place."""
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
        """See Place."""
        self._check_mounted()
        return self._path(name).open("rb")

    def kept(self) -> Iterator[Kept]:
        """See Place."""
        now = time.time()
        for path in self.folder.glob("[0-9a-f][0-9a-f]/*"):
            try:
                status = path.stat()
            except FileNotFoundError:  # somebody else has cleaned it away
                continue
            yield Kept(path.name, status.st_size, now - status.st_mtime)

    def remove(self, name: str, grace_s: float) -> bool:
        """See Place."""
        with self._locked(), contextlib.suppress(FileNotFoundError):
            if time.time() - self._path(name).stat().st_mtime > grace_s:
                self._path(name).unlink()
                return True
        return False

    def sweep(self, grace_s: float) -> None:
        """See Place."""
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
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


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


class UrlPlace:
    """A place that fsspec opens: `s3://bucket/claims`, `memory://claims`. It must show a write at once.

    There is no lock: a claim that is used again when it is no longer young is written anew instead of renewed.
    """

    def __init__(self, url: str, renew_after_s: float) -> None:
        import fsspec

        self._url = url
        self._renew_after_s = renew_after_s
        self._fs: Any
        self._fs, self._root = fsspec.core.url_to_fs(url)

    def __str__(self) -> str:
        return self._url

    def draft(self, claim: Claim) -> Draft:
        """See Place."""
        unfinished = f"{self._root}/{UNFINISHED}/{claim.sha256}.{uuid.uuid4().hex}"
        self._fs.makedirs(f"{self._root}/{UNFINISHED}", exist_ok=True)
        self._fs.makedirs(self._path(claim.sha256).rpartition("/")[0], exist_ok=True)
        return _UrlDraft(self._fs, unfinished, self._path(claim.sha256), claim.size)

    def renew(self, claim: Claim) -> bool:
        """See Place."""
        try:
            info = self._fs.info(self._path(claim.sha256))
        except FileNotFoundError:
            return False
        return info["size"] == claim.size and self._age_s(info["name"]) < self._renew_after_s

    def open(self, name: str) -> BinaryIO:
        """See Place."""
        return cast("BinaryIO", self._fs.open(self._path(name), "rb"))

    def kept(self) -> Iterator[Kept]:
        """See Place."""
        for path, info in self._fs.find(self._root, detail=True).items():
            folder, _, name = path.rpartition("/")
            if not folder.endswith(f"/{UNFINISHED}"):
                yield Kept(name, info["size"], self._age_s(path))

    def remove(self, name: str, grace_s: float) -> bool:
        """See Place."""
        with contextlib.suppress(FileNotFoundError):
            if self._age_s(self._path(name)) > grace_s:
                self._fs.rm_file(self._path(name))
                return True
        return False

    def sweep(self, grace_s: float) -> None:
        """See Place."""
        for path in self._fs.find(f"{self._root}/{UNFINISHED}"):
            with contextlib.suppress(FileNotFoundError):
                if self._age_s(path) > grace_s:
                    self._fs.rm_file(path)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name[:2]}/{name}"

    def _age_s(self, path: str) -> float:
        return time.time() - float(self._fs.modified(path).timestamp())


class _UrlDraft:
    def __init__(self, fs: Any, unfinished: str, path: str, size: int) -> None:
        self._fs, self._unfinished, self._path, self._size = fs, unfinished, path, size
        self._file = fs.open(unfinished, "wb")

    def write(self, chunk: bytes, /) -> None:
        self._file.write(chunk)

    def keep(self) -> None:
        self._file.close()
        self._fs.mv(self._unfinished, self._path)
        if (found := self._fs.info(self._path)["size"]) != self._size:
            raise OSError(f"{self._path}: {found} bytes were kept of {self._size}")

    def discard(self) -> None:
        self._file.close()
        with contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(self._unfinished)
