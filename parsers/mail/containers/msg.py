"""MSG: a mail as Outlook saves it, an OLE file of MAPI properties ([MS-OXMSG])."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.outlookbody import Body, best_body
from parsers.mail.facts import Facts, read_facts
from parsers.mail.fields import Fields, split_header

if TYPE_CHECKING:
    import olefile

_SUBJECT, _MESSAGE_ID, _HEADERS = 0x0037, 0x1035, 0x007D
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP, _SENT = 0x0C1A, 0x0C1F, 0x5D01, 0x0039
_TEXT, _RTF, _HTML = 0x1000, 0x1009, 0x1013
_FILE, _LONG_NAME, _SHORT_NAME, _MIME_TYPE, _CONTENT_ID = 0x3701, 0x3707, 0x3704, 0x370E, 0x3712
_FIXED = struct.Struct("<HHI8s")  # type, id, flags, value
_FIXED_HEADER = {"": 32, "embedded": 24, "attachment": 8}
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)  # of FILETIME
_END_OF_TIME = 2_650_467_744_000_000_000  # the year 10000, in its ticks of 100 ns: Python's calendar ends before it


class Attached(Struct, frozen=True):
    """A file in a mail, or a mail in a mail."""

    name: str | None
    data: bytes
    declared_type: str | None
    is_inline: bool
    message: Msg | None = None


class Msg:
    """One message of an MSG file; `path` is the storage it lives in."""

    def __init__(self, ole: olefile.OleFileIO[str], path: tuple[str, ...] = ()) -> None:
        self._ole = ole
        self._path = path

    @cached_property
    def fields(self) -> Fields:
        """The header it came with; empty for a mail that was never sent."""
        header = self._text(self._path, _HEADERS)
        raw = header.lstrip().encode("utf-8", "replace")
        return split_header(raw, 0, len(raw))[0]

    @property
    def facts(self) -> Facts:
        """From the header where there is one, else from the properties."""
        if self.fields.get("from"):
            return read_facts(self.fields)
        address = self._text(self._path, _SENDER_SMTP) or self._text(self._path, _SENDER_ADDRESS)
        return Facts(
            message_id=self._text(self._path, _MESSAGE_ID).strip("<> ") or None,
            sender=address.lower() if "@" in address else None,
            sender_name=self._text(self._path, _SENDER_NAME) or None,
            subject=self._text(self._path, _SUBJECT) or None,
            sent_at=self._sent_at(),
            sent_offset=timedelta(0) if self._sent_at() else None,
        )

    @property
    def body(self) -> Body | None:
        """The best of its bodies."""
        html = self._stream(self._path, _HTML, "0102") or self._text(self._path, _HTML)
        rtf = None if html else self._rtf()
        return best_body(html, rtf, self._text(self._path, _TEXT))

    def attached(self) -> Iterator[Attached]:
        """The files and mails it holds, in order."""
        depth = len(self._path) + 1
        storages = {
            tuple(entry[:depth])
            for entry in self._ole.listdir(streams=True, storages=True)
            if len(entry) >= depth
            and tuple(entry[: depth - 1]) == self._path
            and entry[depth - 1].lower().startswith("__attach_version1.0_")
        }
        for storage in sorted(storages):
            yield self._attached(storage)

    def _attached(self, storage: tuple[str, ...]) -> Attached:
        inner = (*storage, "__substg1.0_3701000D")
        name = self._text(storage, _LONG_NAME) or self._text(storage, _SHORT_NAME) or None
        is_inline = bool(self._text(storage, _CONTENT_ID))
        declared = self._text(storage, _MIME_TYPE).lower() or None
        if self._ole.exists("/".join((*inner, "__properties_version1.0"))):
            return Attached(name, b"", declared, is_inline, Msg(self._ole, inner))
        return Attached(name, self._stream(storage, _FILE, "0102"), declared, is_inline)

    def _rtf(self) -> bytes | None:
        from compressed_rtf import decompress

        packed = self._stream(self._path, _RTF, "0102")
        try:
            return decompress(packed) if packed else None
        except Exception:  # noqa: BLE001 -- the library trips over damage as its code does; there may be a text beside
            return None

    def _sent_at(self) -> datetime | None:
        header = _FIXED_HEADER["embedded" if self._path else ""]
        data = self._raw((*self._path, "__properties_version1.0"))[header:]
        for _, number, _, value in _FIXED.iter_unpack(data[: len(data) - len(data) % _FIXED.size]):
            if number == _SENT:
                return moment(int.from_bytes(value, "little"))
        return None

    def _text(self, storage: tuple[str, ...], number: int) -> str:
        wide = self._stream(storage, number, "001F")
        text = (
            wide.decode("utf-16-le", "replace")
            if wide
            else self._stream(storage, number, "001E").decode("cp1252", "replace")
        )
        return text.rstrip("\0").strip()

    def _stream(self, storage: tuple[str, ...], number: int, kind: str) -> bytes:
        return self._raw((*storage, f"__substg1.0_{number:04X}{kind}"))

    def _raw(self, path: tuple[str, ...]) -> bytes:
        """The bytes of a stream; empty when there is none, or none that can be read."""
        name = "/".join(path)
        try:
            return bytes(self._ole.openstream(name).read()) if self._ole.exists(name) else b""
        except OSError:
            return b""


def moment(ticks: int) -> datetime | None:
    """The time of a FILETIME; None for none, and for one beyond the calendar."""
    return _EPOCH + timedelta(microseconds=ticks // 10) if 0 < ticks < _END_OF_TIME else None


def read_msg(data: bytes) -> Msg:
    """The message of a file.

    Raises:
        Unreadable: CORRUPT_PART.
    """
    import olefile

    try:
        return Msg(olefile.OleFileIO(io.BytesIO(data)))
    except Exception as error:  # olefile raises what its reading of damaged tables leads to
        raise Unreadable(Code.CORRUPT_PART, f"{type(error).__name__}: {error}"[:200]) from error
