"""What a Word 97 to 2003 file says of its text: single properties, and the styles that text has them from.

[MS-DOC]: sprms (2.2.5), the style sheet (2.9.271 to 2.9.276), operands that refer to the style (2.9.327).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

PARAGRAPH_STYLE, TEXT_STYLE = 0x4600, 0x4A30  # sprmPIstd, sprmCIstd
_TABLE_DEFINITION, _TABS = 0xD608, 0xC615  # sprms whose length is written in a way of their own
_OPERAND = (1, 1, 2, 4, 2, 2, None, 3)  # bytes of a sprm's operand, by its spra; None: its first byte says
_PARAGRAPHS = 1  # stk of a style
_OPPOSITE, _AS_STYLE = b"\x81", b"\x80"
_MAX_ABOVE = 20  # styles that one is based on, by way of each other
_NOTHING: Mapping[int, bytes] = MappingProxyType({})


def sprms(properties: bytes) -> Iterator[tuple[int, bytes]]:
    """Single properties: what each is of, and its operand."""
    at = 0
    while at + 2 < len(properties):
        kind = u16(properties, at)
        at += 2
        size = _OPERAND[kind >> 13]
        if kind == _TABLE_DEFINITION and at + 2 <= len(properties):
            size = u16(properties, at) + 1
        elif size is None:
            size = 1 + properties[at]
            if kind == _TABS and size == 256:
                return  # a length of its own, and never before what we look for
        yield kind, properties[at : at + size]
        at += size


def is_on(properties: Mapping[int, bytes], kinds: tuple[int, ...], *, by_style: bool = False) -> bool:
    """Whether one of these properties is on; an operand may be as the style says, or its opposite."""
    told = [properties[kind] for kind in kinds if kind in properties]
    if not told:
        return by_style
    return any(
        operand == b"\1" or (operand == _AS_STYLE and by_style) or (operand == _OPPOSITE and not by_style)
        for operand in told
    )


class _Style(Struct, frozen=True):
    base: int
    text: Mapping[int, bytes]  # what it says of text, by sprm


class Styles:
    """The style sheet of one file; styles that are cut off or unknown say nothing."""

    def __init__(self, sheet: bytes) -> None:
        self._styles: dict[int, _Style] = {}
        if len(sheet) < 6:
            return
        count, base_size = u16(sheet, 2), u16(sheet, 4)
        at = 2 + u16(sheet, 0)
        for number in range(count):
            if at + 2 > len(sheet):
                return
            size = u16(sheet, at)
            style = sheet[at + 2 : at + 2 + size]
            if len(style) == size > base_size >= 6:
                self._styles[number] = _style(style, base_size)
            at += 2 + size + size % 2

    def is_on(self, kinds: tuple[int, ...], paragraph: Mapping[int, bytes], text: Mapping[int, bytes]) -> bool:
        """Whether one of these is on by the styles of paragraph and text, of which either turns the other round."""
        names = (paragraph.get(PARAGRAPH_STYLE), text.get(TEXT_STYLE))
        one, other = (name is not None and self._says(int.from_bytes(name, "little"), kinds) for name in names)
        return one != other

    def value(self, kind: int, text: Mapping[int, bytes], paragraph: Mapping[int, bytes]) -> bytes | None:
        """The operand of a sprm that is no switch: the text's own, else its style's, else that of its paragraph."""
        if kind in text:
            return text[kind]
        for name in (text.get(TEXT_STYLE), paragraph.get(PARAGRAPH_STYLE)):
            for told in self._chain(int.from_bytes(name, "little")) if name is not None else ():
                if kind in told:
                    return told[kind]
        return None

    def _says(self, number: int, kinds: tuple[int, ...]) -> bool:
        value = False
        for text in reversed(list(self._chain(number))):
            value = is_on(text, kinds, by_style=value)
        return value

    def _chain(self, number: int) -> Iterator[Mapping[int, bytes]]:
        """What a style says of text, and then what those say that it is based on."""
        for _ in range(_MAX_ABOVE):
            style = self._styles.get(number)
            if style is None:
                return
            yield style.text
            number = style.base


def _style(data: bytes, base_size: int) -> _Style:
    """A style's description: its kind, what it is based on, its name, and then what it says, by paragraph and text."""
    kind, base, told = u16(data, 2) & 0xF, u16(data, 2) >> 4, u16(data, 4) & 0xF
    at = base_size + 2 + 2 * u16(data, base_size) + 2 if base_size + 2 <= len(data) else len(data)
    texts = b""
    for number in range(told):
        if at + 2 > len(data):
            break
        size = u16(data, at)
        if number == (1 if kind == _PARAGRAPHS else 0):
            texts = data[at + 2 : at + 2 + size]
        at += 2 + size + size % 2
    return _Style(base, dict(sprms(texts)))


def u16(data: bytes, at: int) -> int:
    """Two bytes, the lower first."""
    return int(struct.unpack_from("<H", data, at)[0])
