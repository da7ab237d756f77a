"""The few file operations that durability is made of; each says what is on disk when it returns."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from log.errors import DiskFull, LogError, LogUnusable, OutOfResources

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

FOLDER_MODE = 0o700
FILE_MODE = 0o600

NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})  # ENOSPC is also what a file system without inodes says
NOT_THE_DISK = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})  # this process' or machine's limits

# flock and rename are only promised by local file systems: two machines could both hold a partition.
NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "glusterfs", "fuse.glusterfs", "fuse.sshfs"}
)


class _DiskErrors:
    """The border: what a disk says, in the log's terms. A replica's errors are dealt with before they come here."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise log_error_of(error) from error


def log_error_of(error: OSError) -> LogError:
    """What it is to the log's user."""
    if error.errno in NO_SPACE:
        return DiskFull(f"no space or no inodes left: {error_in_words(error)}")
    if error.errno in NOT_THE_DISK:
        return OutOfResources(f"this process or machine is at a limit: {error_in_words(error)}")
    return LogUnusable(f"the log's own files cannot be used: {error_in_words(error)}")


def error_in_words(error: Exception | None) -> str:
    """Of the system's errors the file, where it is known, and what the system says, without its number."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror


def disk_errors_as_log_errors() -> AbstractContextManager[None]:
    """Within it an OSError becomes DiskFull, OutOfResources or LogUnusable."""
    return _DISK_ERRORS


_DISK_ERRORS = _DiskErrors()


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Within it an OSError has a file's name: calls on a descriptor, as writing to a full disk, know none."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def make_folder(path: Path) -> None:
    """Create `path` and its parents; its name is durable in its parent, and theirs in theirs.

    A folder that is there may be of a process that died, or is not as far yet, between making and syncing it. That it
    synced those above before it made this one is sure.
    """
    found = path.is_dir()
    if not found:
        make_folder(path.parent)
        path.mkdir(FOLDER_MODE, exist_ok=True)
    try:
        fsync_folder(path.parent)
    except PermissionError:
        if not found:
            raise  # what was there, in a folder that is closed to us, was made by somebody else long ago


def create_file(path: Path) -> int:
    """An empty file, open for reading and writing, whatever was there before. Its name is not yet durable."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, FILE_MODE)


def open_file(path: Path) -> int:
    """An existing file, open for reading and writing. Raises FileNotFoundError."""
    return os.open(path, os.O_RDWR | os.O_CLOEXEC)


def write_all(fd: int, data: bytes, position: int) -> None:
    """Write every byte of `data` at `position`: a short write goes on where it stopped. Raises OSError."""
    written = os.pwrite(fd, data, position)
    while written < len(data):
        written += os.pwrite(fd, memoryview(data)[written:], position + written)


def read_range(path: Path, position: int, length: int) -> bytes:
    """At most `length` bytes of a file from `position` on."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(fd, length, position)
    finally:
        os.close(fd)


def fsync_folder(path: Path) -> None:
    """The names in `path` are durable."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with errors_naming(path):
            os.fsync(fd)
    finally:
        os.close(fd)


def replace_file(path: Path, data: bytes) -> None:
    """The file holds `data`, durably; a crash leaves the old or the new content, never a mixture.

    Whoever replaces a file holds the lock of what it is about: two at once would write into one unfinished file.
    """
    unfinished = path.with_name(path.name + ".tmp")
    fd = create_file(unfinished)
    try:
        with errors_naming(path):
            write_all(fd, data, 0)
            os.fsync(fd)
    finally:
        os.close(fd)
    unfinished.replace(path)
    fsync_folder(path.parent)


def mount_point(path: Path) -> Path:
    """Where the file system begins that `path` lies on, or would."""
    place = path.resolve()
    return next(each for each in (place, *place.parents) if each.is_mount())


def network_file_system(path: Path) -> str | None:
    """The kind of network file system that `path` lies on, None on a local one (or where /proc does not say)."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    kinds = {}
    for line in mounts.splitlines():
        mount, _, device = line.partition(" - ")
        point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), mount.split(" ")[4])
        kinds[point] = device.split(" ")[0]  # a later mount on the same point hides the earlier one
    resolved = path.resolve()
    nearest = next(
        str(place) for place in (resolved, *resolved.parents) if str(place) in kinds or place == place.parent
    )
    kind = kinds.get(nearest, "")
    return kind if kind in NETWORK_FILE_SYSTEMS else None


def boot_id() -> str:
    """Names this run of the machine; what was written in an earlier one reached the disk or is gone."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"
