"""RTF's syntax: groups, control words, characters. Damaged input gives fewer tokens, never an error."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from msgspec import Struct

_TOKEN = re.compile(
    rb"(?P<open>\{)|(?P<close>\})|\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9A-Fa-f]{2})|"
    rb"\\(?P<symbol>[^A-Za-z])|(?P<skip>[\r\n]+)|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"-": "", b"{": "{", b"}": "}", b"\\": "\\"}
_MAX_DEPTH = 500  # groups inside groups; deeper ones are read as if closed there


class Token(Struct, frozen=True):
    """One piece: `{`, `}`, a control word with its number, or text."""

    kind: str  # open, close, word, text
    value: str = ""
    number: int | None = None


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of a file, characters decoded by its code page and by their Unicode numbers."""
    return _Scanner(data).tokens()


class _Scanner:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._codec = "cp1252"
        self._pending = bytearray()  # bytes of the code page: a character may take two
        self._skips = [1]  # per group: how many characters after a Unicode number stand in for it
        self._to_skip = 0

    def tokens(self) -> Iterator[Token]:
        """All of them, to the end of the data."""
        while (match := _TOKEN.match(self._data, self._at)) is not None:
            self._at = match.end()
            if match["skip"] is not None:
                continue
            raw = bytes([int(match["hex"], 16)]) if match["hex"] is not None else match["text"]
            if raw is not None:
                self._add(raw)
                continue
            yield from self._flush()
            token = self._group(match) if match["open"] or match["close"] else self._control(match)
            if token is not None:
                yield token
        yield from self._flush()

    def _add(self, raw: bytes) -> None:
        dropped = min(self._to_skip, len(raw))
        self._to_skip -= dropped
        self._pending += raw[dropped:]

    def _flush(self) -> Iterator[Token]:
        if self._pending:
            yield Token("text", self._pending.decode(self._codec, "replace"))
            self._pending.clear()

    def _group(self, match: re.Match[bytes]) -> Token | None:
        depth = len(self._skips)
        if match["open"]:
            self._skips.append(self._skips[-1])
            return Token("open") if depth < _MAX_DEPTH else None
        self._to_skip = 0
        if depth > 1:
            self._skips.pop()
        return Token("close") if 1 < depth <= _MAX_DEPTH else None

    def _control(self, match: re.Match[bytes]) -> Token | None:
        if match["symbol"] is not None:
            symbol = match["symbol"]
            return Token("word", "*") if symbol == b"*" else Token("text", _SYMBOLS.get(symbol, ""))
        word, number = match["word"].decode("ascii"), int(match["number"]) if match["number"] else None
        if word == "u" and number is not None:
            self._to_skip = self._skips[-1]
            return Token("text", _char(number))
        if word == "uc":
            self._skips[-1] = max(number or 0, 0)
        elif word == "ansicpg":
            self._codec = _codec(number or 1252)
        elif word == "bin":
            self._at += min(max(number or 0, 0), len(self._data) - self._at)
        return Token("word", word, number)


def _char(number: int) -> str:
    """Unicode numbers are signed 16-bit; surrogate halves become U+FFFD."""
    code = number % 0x10000
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)


def _codec(page: int) -> str:
    try:
        codecs.lookup(f"cp{page}")
    except LookupError:
        return "utf-8" if page == 65001 else "cp1252"
    return f"cp{page}"
