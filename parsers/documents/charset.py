"""Bytes to text in the order of spec 6.1: BOM, declared charset (as WHATWG reads it), UTF-8, cp1252."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_READ_AS_CP1252 = frozenset({"ascii", "iso8859-1"})
_NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"})
_MAX_LOST = 0.05  # share of U+FFFD above which a text counts as undecodable
_SNIFFED_BYTES = 4096


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of a part, mojibake repaired, without BOM, NUL and lone surrogates.

    Raises:
        Unreadable: CHARSET_UNDECODABLE, when more than 5 % of the characters are lost.
    """
    text = _decoded(data, declared).replace("\0", "")
    lost = text.count("\ufffd")
    if lost > _MAX_LOST * len(text):
        raise Unreadable(Code.CHARSET_UNDECODABLE, f"{lost} of {len(text)} characters lost, declared as {declared}")
    return text if text.isascii() else repaired(text)


def _decoded(data: bytes, declared: str | None) -> str:
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    if (wide := _wide_codec(data)) is not None:
        return data.decode(wide, "replace")
    for codec in (_codec(declared), "utf-8"):
        if codec is not None and (text := _strict(data, codec)) is not None:
            return text
    return data.decode("cp1252", "replace")


def _wide_codec(data: bytes) -> str | None:
    """UTF-16 without its mark: Western text has a zero in every second byte."""
    head = data[:_SNIFFED_BYTES]
    pairs = len(head) // 2
    if pairs < 4 or head.count(0) < 0.4 * pairs:
        return None
    low, high = head[1::2].count(0), head[0::2].count(0)
    if low > 0.6 * pairs and high < 0.1 * pairs:
        return "utf-16-le"
    if high > 0.6 * pairs and low < 0.1 * pairs:
        return "utf-16-be"
    return None


def _codec(declared: str | None) -> str | None:
    if not declared or not declared.isascii() or "\0" in declared:
        return None
    try:
        name = codecs.lookup(declared.strip().strip("'\"")).name
    except LookupError:
        return None
    if name in _NO_CHARSETS:
        return None
    return "cp1252" if name in _READ_AS_CP1252 else name


def _strict(data: bytes, codec: str) -> str | None:
    try:
        text = data.decode(codec)
        text.encode("utf-8")  # some codecs make lone surrogates
    except (UnicodeError, LookupError):  # LookupError: base64, zlib and the like are no charsets
        return None
    return text


def _cp1252_char(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)  # WHATWG maps cp1252's five holes to C1 controls


_BYTE_OF = {_cp1252_char(byte): byte for byte in range(0x80, 0x100)}
_CONT = "[" + re.escape("".join(_cp1252_char(byte) for byte in range(0x80, 0xC0))) + "]"
_MOJIBAKE = re.compile(f"[\u00c2-\u00c5]{_CONT}|\u00e2{_CONT}{{2}}")


def repaired(text: str) -> str:
    """UTF-8 once read as cp1252 put right, run by run: `98Â½` is 98½, `â€“` an en dash.

    Only runs that go back without loss, and give Latin letters, punctuation, fractions or currency signs.
    """
    return _MOJIBAKE.sub(lambda match: _repaired_run(match[0]), text) if _MOJIBAKE.search(text) else text


@lru_cache(maxsize=4096)  # a text that was read wrongly has the same few everywhere
def _repaired_run(run: str) -> str:
    try:
        char = bytes(_BYTE_OF[c] for c in run).decode("utf-8")
    except UnicodeDecodeError:
        return run
    if run[0] in "\u00c4\u00c5" and run[1] in "\u2013\u2014\u2018\u2019\u201c\u201d\u2026":
        return run  # a capital before a closing quote or a dash, as in German
    return char if "\u00a0" <= char <= "\u017f" or "\u2010" <= char <= "\u22ff" else run
