"""RTF's syntax: groups, control words, characters. Damaged input gives fewer tokens, never an error.

A file of 50 MB may have 25 million tokens, which all together must take less than the deadline of a part: so characters
are taken in runs, and a control word that was there before is the token of then.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from msgspec import Struct

_TOKEN = re.compile(
    rb"([^\\{}\r\n]+)|\\([A-Za-z]{1,32})(-?\d{1,10})? ?|(\{)|(\})|((?:\\'[0-9A-Fa-f]{2})++)|\\([^A-Za-z])|[\r\n]+",
    re.DOTALL,
)
_TEXT, _WORD, _NUMBER, _OPEN, _CLOSE, _HEX, _SYMBOL = range(1, 8)  # its groups; a file's line ends are in none
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"-": "", b"{": "{", b"}": "}", b"\\": "\\"}
_CHARACTERS = {
    "tab": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "bullet": "\u2022",
    "emspace": " ",
    "enspace": " ",
}
_ACTING = frozenset({"u", "uc", "ansicpg", "bin"})  # words that change how the bytes behind them are read
_MAX_DEPTH = 500  # groups inside groups; deeper ones are read as if closed there
_MAX_KNOWN = 10_000  # words


class Token(Struct, frozen=True, gc=False):
    """One piece: `{`, `}`, a control word with its number, or text."""

    kind: str  # open, close, word, text
    value: str = ""
    number: int | None = None


_OPENED, _CLOSED, _STAR = Token("open"), Token("close"), Token("word", "*")


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of a file, characters decoded by its code page and by their Unicode numbers."""
    return _Scanner(data).tokens()


class _Scanner:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._codec = "cp1252"
        self._pending = bytearray()  # bytes of the code page: a character may take two
        self._skips = [1]  # per group: how many characters after a Unicode number stand in for it
        self._to_skip = 0
        self._known: dict[bytes, Token] = {}  # words

    def tokens(self) -> Iterator[Token]:
        """All of them, to the end of the data."""
        at: int | None = 0
        while at is not None:  # behind binary data it goes on elsewhere
            matches, at = _TOKEN.finditer(self._data, at), None
            for match in matches:
                group = match.lastindex
                if group == _TEXT:
                    self._add(match[_TEXT])
                elif group == _HEX:
                    self._add(bytes.fromhex(match[_HEX].replace(b"\\'", b"").decode("ascii")))
                elif group is not None:
                    if self._pending:
                        yield self._text()
                    token = self._token(group, match)
                    if token is not None:
                        yield token
                        if token.value == "bin":
                            at = match.end() + min(max(token.number or 0, 0), len(self._data))
                            break
        if self._pending:
            yield self._text()

    def _add(self, raw: bytes) -> None:
        if self._to_skip:
            dropped = min(self._to_skip, len(raw))
            self._to_skip -= dropped
            raw = raw[dropped:]
        self._pending += raw

    def _text(self) -> Token:
        text = self._pending.decode(self._codec, "replace")
        self._pending.clear()
        return Token("text", text)

    def _token(self, group: int, match: re.Match[bytes]) -> Token | None:
        if group <= _NUMBER:
            return self._word(match)
        if group == _OPEN:
            self._skips.append(self._skips[-1])
            return _OPENED if len(self._skips) <= _MAX_DEPTH else None
        if group == _CLOSE:
            self._to_skip = 0
            if len(self._skips) > 1:
                self._skips.pop()
                return _CLOSED if len(self._skips) < _MAX_DEPTH else None
            return None
        symbol = match[_SYMBOL]
        return _STAR if symbol == b"*" else Token("text", _SYMBOLS.get(symbol, ""))

    def _word(self, match: re.Match[bytes]) -> Token:
        token = self._known.get(match[0])
        if token is None:
            word, number = match[_WORD].decode("ascii"), int(match[_NUMBER]) if match[_NUMBER] else None
            character = _CHARACTERS.get(word)
            token = Token("word", word, number) if character is None else Token("text", character)
            if len(self._known) < _MAX_KNOWN:
                self._known[match[0]] = token
        return self._acted(token) if token.value in _ACTING else token

    def _acted(self, token: Token) -> Token:
        word, number = token.value, token.number
        if word == "u" and number is not None:
            self._to_skip = self._skips[-1]
            return Token("text", _char(number))
        if word == "uc":
            self._skips[-1] = max(number or 0, 0)
        elif word == "ansicpg":
            self._codec = _codec(number or 1252)
        return token


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
