"""Header fields, cut to size before anything looks at them: an encoded word of 280 kB costs `email` 16 s of CPU."""

from __future__ import annotations

import re
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import collapse_rfc2231_value
from functools import cached_property
from typing import Any

from msgspec import Struct

MAX_FIELD_BYTES = 64 * 1024
MAX_HEADER_BYTES = 256 * 1024  # of all fields of one entity
_MAX_STRUCTURED = 8 * 1024  # characters of a field with parameters or encoded words: reading these is quadratic
_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:([^\r\n]*(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*)(?:\r\n|\n|\r|\Z)")
_BLANK = re.compile(rb"\r\n|\n|\r")
_FOLD = re.compile(r"[\r\n]+[ \t]*")
_FROM_LINE = re.compile(rb">?From [^\r\n]*(?:\r\n|\n|\r)")


class Fields(Struct, frozen=True, dict=True):
    """The header of a mail or part: (name in lower case, value unfolded) in order. Values are undecoded."""

    items: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str | None:
        """The first value of a field."""
        return next((value for key, value in self.items if key == name), None)

    @cached_property
    def _structured(self) -> Message:
        """The fields with parameters, for the standard library to read."""
        message = Message()
        for key, value in self.items:
            if key in {"content-type", "content-disposition"} and key not in message:
                message[key] = value[:_MAX_STRUCTURED]
        return message

    @property
    def content_type(self) -> str | None:
        """Declared type in lower case; None when there is none, or none that reads as a type."""
        if "content-type" not in self._structured:
            return None
        declared = self._structured.get_content_type()
        return declared if "/" in (self.get("content-type") or "") else None

    def parameter(self, name: str, header: str = "content-type") -> str | None:
        """A parameter, RFC 2231 undone; RFC 2047 words, which do not belong there but come, decoded."""
        value = self._parameters[header].get(name)
        try:
            return None if value is None else decoded(collapse_rfc2231_value(value)) or None
        except UnicodeError:  # of a codec that knows no replacement
            return None

    @cached_property
    def _parameters(self) -> dict[str, dict[str, Any]]:
        """By field and name; of several of one name the first. Unreadable ones are none."""
        found: dict[str, dict[str, Any]] = {"content-type": {}, "content-disposition": {}}
        for header, named in found.items():
            with suppress(UnicodeError, LookupError, ValueError, TypeError):  # TypeError: `name*` beside `name*0`
                for name, value in self._structured.get_params([], header):
                    named.setdefault(name.lower(), value)
        return found

    @property
    def disposition(self) -> str | None:
        """`inline`, `attachment` or what else is said."""
        return self._structured.get_content_disposition()

    @property
    def file_name(self) -> str | None:
        """The part's name as a label; it is never a path to us."""
        return self.parameter("filename", "content-disposition") or self.parameter("name")


def split_header(raw: bytes, start: int, end: int) -> tuple[Fields, int]:
    """The fields of the entity at raw[start:end], and where its body begins.

    A line that is no field ends the header, as in the standard library; an entity that begins with such a line
    has no header at all.
    """
    if match := _FROM_LINE.match(raw, start, end):
        start = match.end()
    items: list[tuple[str, str]] = []
    at, room = start, MAX_HEADER_BYTES
    while match := _FIELD.match(raw, at, end):
        value = match[2][:MAX_FIELD_BYTES]
        if room > 0:
            items.append((match[1].decode("ascii").lower(), _FOLD.sub(" ", _text(value)).strip()))
        room -= len(match[1]) + len(value)
        at = match.end()
    blank = _BLANK.match(raw, at, end)
    return Fields(tuple(items)), blank.end() if blank and (items or at == start) else at


def _text(value: bytes) -> str:
    """Header bytes as they come: UTF-8 where they are, cp1252 where not."""
    try:
        return value.decode("utf-8").replace("\0", "")
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace").replace("\0", "")


def decoded(text: str) -> str:
    """A value with its RFC 2047 words decoded; as it stands when they cannot be."""
    if "=?" not in text:
        return text.strip()
    text = text[:_MAX_STRUCTURED]
    try:
        plain = str(make_header(decode_header(text)))
        plain.encode("utf-8")
    except (HeaderParseError, UnicodeError, LookupError, ValueError, AssertionError):
        return text.strip()
    return plain.strip()
