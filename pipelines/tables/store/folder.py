"""The store on a local file system: what has a name is on the disk, by the log's own operations."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import time
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pyarrow as pa

from log.disk.files import create_file, errors_naming, fsync_folder, make_folder, write_all
from log.disk.lock import file_held
from pipelines.errors import Changed, NotStored
from pipelines.tables.store.interface import Stored, Tag
from pipelines.tables.store.streams import OutputStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pipelines.errors import PipelineError

_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{16}\.tmp")


class Folder:
    """A store below a local folder. See `interface.Store`."""

    is_local = True

    def __init__(self, root: Path) -> None:
        self._root = root

    def __repr__(self) -> str:
        return f"Folder({str(self._root)!r})"

    def get(self, name: str) -> bytes:
        """See `Store`."""
        with _missing(self._place(name)) as place:
            return place.read_bytes()

    def put(self, name: str, data: bytes) -> None:
        """See `Store`."""
        with self.open_write(name) as file:
            file.write(data)

    def put_new(self, name: str, data: bytes) -> Tag:
        """See `Store`."""
        place = self._place(name)
        with _unfinished(place) as (path, file):
            file.write(data)
            file.sync()
            try:
                os.link(path, place)
            except FileExistsError:
                if place.read_bytes() != data:
                    raise
            fsync_folder(place.parent)
        return _tag(data)

    def tagged(self, name: str) -> tuple[bytes, Tag]:
        """See `Store`."""
        data = self.get(name)
        return data, _tag(data)

    def swap(self, name: str, data: bytes, tag: Tag) -> Tag:
        """See `Store`."""
        place = self._place(name)
        with _alone(place.parent):
            try:
                found = place.read_bytes()
            except FileNotFoundError:
                found = None
            if found != data:
                if found is None or _tag(found) != tag:
                    raise Changed(f"{place} is not what it was: another process wrote it")
                self.put(name, data)
        return _tag(data)

    def list(self, folder: str = "") -> Iterator[Stored]:
        """See `Store`."""
        for name in self.names(folder):
            with suppress(FileNotFoundError):  # it was removed meanwhile
                status = os.stat(f"{self._root}/{name}")  # noqa: PTH116 -- a Path would take most of the time
                yield Stored(name, status.st_size, datetime.fromtimestamp(status.st_mtime, UTC))

    def names(self, folder: str = "") -> Iterator[str]:
        """See `Store`."""
        for parent, files in _walked(self._place(folder)):
            below = PurePosixPath(parent).relative_to(self._root).as_posix()
            within = "" if below == "." else f"{below}/"
            yield from (f"{within}{file}" for file in files if not (file[0] == "." and _UNFINISHED.fullmatch(file)))

    def delete(self, names: Iterable[str]) -> None:
        """See `Store`."""
        places = [self._place(name) for name in names]
        for place in places:
            place.unlink(missing_ok=True)
        for folder in {place.parent for place in places}:
            if folder.is_dir():
                fsync_folder(folder)

    def delete_folder(self, folder: str) -> None:
        """See `Store`."""
        place = self._place(folder)
        with suppress(FileNotFoundError):
            shutil.rmtree(place)
            fsync_folder(place.parent)

    def make_folder(self, folder: str) -> None:
        """See `Store`."""
        make_folder(self._place(folder))

    def sync(self, names: Iterable[str]) -> None:
        """See `Store`."""
        places = [self._place(name) for name in names]
        for place in places:
            with suppress(FileNotFoundError):
                _sync_file(place)
        parents = {place.parent for place in places}
        for folder in {above for parent in parents for above in (parent, *parent.parents)}:
            if folder.is_relative_to(self._root):
                fsync_folder(folder)

    @contextmanager
    def hold(self, name: str, busy: type[PipelineError], what: str, wait_s: float = 0.0) -> Iterator[_Flocked]:
        """See `Store`: a flock. The kernel releases it when its holder dies; nobody ever breaks one."""
        place = self._place(name)
        make_folder(place.parent)
        with ExitStack() as held:
            try:
                held.enter_context(file_held(place, wait_s))
            except TimeoutError:
                raise busy(f"{what} by process {_said_in(place) or 'unknown'}; try again") from None
            with suppress(OSError):  # it only says who: a full disk has no room for it
                place.write_text(str(os.getpid()), "ascii")
            yield _Flocked()

    def is_free(self, name: str) -> bool:
        """See `Store`."""
        try:
            fd = os.open(self._place(name), os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return True
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(fd)
        return True

    def refusal(self, text: str, name: str) -> None:
        """None: a local disk's errors say what they mean."""

    def size(self, name: str) -> int:
        """See `Store`."""
        with _missing(self._place(name)) as place:
            return place.stat().st_size

    @contextmanager
    def open_write(self, name: str) -> Iterator[OutputStream]:
        """See `Store`."""
        place = self._place(name)
        with _unfinished(place) as (path, file):
            yield file
            file.sync()
            path.replace(place)
            fsync_folder(place.parent)

    def open_read(self, name: str) -> pa.NativeFile:
        """See `Store`."""
        with _missing(self._place(name)) as place:
            return pa.OSFile(str(place))

    def uri(self, name: str = "") -> str:
        """See `Store`."""
        return str(self._place(name))

    def storage_options(self) -> dict[str, str]:
        """None are needed."""
        return {}

    def sweep(self, older_than_s: float, prefix: str = "") -> None:
        """See `Store`."""
        oldest = time.time() - older_than_s
        for path in self._files(""):
            if _UNFINISHED.fullmatch(path.name) and path.name.startswith(f".{prefix}"):
                with suppress(FileNotFoundError):  # it has got its name meanwhile, or was removed
                    if path.stat().st_mtime <= oldest:
                        path.unlink()

    def _place(self, name: str) -> Path:
        if ".." in PurePosixPath(name).parts:
            raise ValueError(f"a name must not lead out of the root: {name!r}")
        return self._root / name

    def _files(self, folder: str) -> Iterator[Path]:
        for parent, names in _walked(self._place(folder)):
            yield from (self._root / parent / name for name in names)


def _walked(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each folder from this one down, with the names of its files. Raises OSError for one that cannot be listed."""
    for parent, _, names in os.walk(folder, onerror=_raise_unless_gone):
        yield parent, names


def _raise_unless_gone(error: OSError) -> None:
    """What cannot be listed is not empty: files would be taken for gone, and what they name be removed."""
    if not isinstance(error, FileNotFoundError):  # it is not there, or was removed meanwhile
        raise error


class _Flocked:
    def check(self) -> None:
        """Return: the kernel takes no lock from a process that lives."""


class _Unfinished(OutputStream):
    """A file that has not its name yet."""

    def __init__(self, fd: int, place: Path) -> None:
        super().__init__(self._append)
        self._fd, self._place, self._end = fd, place, 0

    def _append(self, data: bytes) -> None:
        with errors_naming(self._place):
            write_all(self._fd, data, self._end)
        self._end += len(data)

    def sync(self) -> None:
        """Return when what was written is on the disk."""
        self.flush()
        with errors_naming(self._place):
            os.fsync(self._fd)


@contextmanager
def _unfinished(place: Path) -> Iterator[tuple[Path, _Unfinished]]:
    """A file of its own beside `place`, gone at the end unless it was given its name."""
    make_folder(place.parent)
    path = place.with_name(f".{place.name}.{secrets.token_hex(8)}.tmp")
    fd = create_file(path)
    file = _Unfinished(fd, place)
    try:
        yield path, file
    finally:
        file.end()
        os.close(fd)
        path.unlink(missing_ok=True)


@contextmanager
def _missing(place: Path) -> Iterator[Path]:
    try:
        yield place
    except FileNotFoundError:
        raise NotStored(f"{place} is not there") from None


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the only process and thread that swaps in this folder, for as long as a small file takes."""
    make_folder(folder)
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
        except OSError as error:  # of a file that is open it names none
            raise OSError(error.errno, error.strerror, str(folder)) from error
        yield
    finally:
        os.close(fd)


def _said_in(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace").strip()
    except OSError:
        return ""


def _sync_file(place: Path) -> None:
    fd = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with errors_naming(place):
            os.fsync(fd)
    finally:
        os.close(fd)


def _tag(data: bytes) -> Tag:
    return Tag(sha256(data).hexdigest())
