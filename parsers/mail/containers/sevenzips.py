"""7Z: its files, by py7zr, into memory within a budget."""

from __future__ import annotations

import io
import lzma
from collections.abc import Iterator

from py7zr import SevenZipFile
from py7zr.exceptions import ArchiveError, PasswordRequired
from py7zr.io import Py7zIO, WriterFactory

from parsers.codes import Code
from parsers.documents.budget import Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.member import Member

_ROOT = "/"  # names are held against it; else against the working folder, which the parsers' child has none of


class _Counted(Py7zIO):
    """A file as it is unpacked."""

    def __init__(self, packed: int, budget: Budget) -> None:
        self._packed, self._budget = packed, budget
        self.out = bytearray()

    def write(self, s: bytes | bytearray) -> int:
        """Take what was unpacked, as far as the budget goes. Raises Unreadable."""
        self.out += s
        self._budget.unpacked(len(s), len(self.out), self._packed)
        return len(s)

    def read(self, size: int | None = None) -> bytes:  # noqa: ARG002
        """All of it."""
        return bytes(self.out)

    def seek(self, offset: int, whence: int = 0) -> int:  # noqa: ARG002 -- py7zr goes back to the start when it is done
        """Nothing to go to: the bytes are taken as a whole."""
        return 0

    def flush(self) -> None:
        """Nothing is kept back."""

    def size(self) -> int:
        """Bytes so far."""
        return len(self.out)


class _Files(WriterFactory):
    """Where py7zr puts the files."""

    def __init__(self, packed: int, budget: Budget) -> None:
        self._packed, self._budget = packed, budget
        self.found: list[tuple[str, _Counted]] = []

    def create(self, filename: str) -> Py7zIO:
        """A place for one more. Raises Unreadable."""
        self._budget.member()
        self.found.append((filename.removeprefix(_ROOT), _Counted(self._packed, self._budget)))
        return self.found[-1][1]


def sevenzip_members(data: bytes, budget: Budget) -> Iterator[Member]:
    """The files of a 7z. A solid archive is unpacked as a whole. Raises Unreadable."""
    files = _Files(len(data), budget)
    try:
        with SevenZipFile(io.BytesIO(data)) as archive:
            archive.extractall(_ROOT, factory=files)
    except Unreadable:  # of the budget
        raise
    except PasswordRequired as error:
        raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted archive") from error
    except (ArchiveError, lzma.LZMAError, EOFError, ValueError, KeyError, IndexError, TypeError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"not a whole 7z: {type(error).__name__}: {error}"[:200]) from error
    yield from (Member(name, bytes(file.out)) for name, file in files.found)
