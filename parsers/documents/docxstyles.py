"""What the styles of a Word file strike through, hide or raise, of word/styles.xml."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable

from lxml.etree import _Element
from msgspec import Struct

from parsers.documents.package import local, parse_xml, read_member

_OFF = frozenset({"0", "false", "off", "none"})
_MARKS = (b"strike", b"vanish", b"superscript")
_MAX_ABOVE = 20  # styles that one is based on, by way of each other


class Style(Struct, frozen=True):
    """What a style says of text; None is nothing."""

    struck: bool | None = None
    hidden: bool | None = None
    raised: bool | None = None


NOTHING = Style()


class Styles:
    """The styles of one file."""

    def __init__(self, xml: bytes | None) -> None:
        self._own: dict[str, tuple[Style, str]] = {}  # by identifier: what it says itself, and what it is based on
        self._default = ""
        self._file = NOTHING  # what holds for all of the file's text
        for style in parse_xml(xml) if xml and any(mark in xml for mark in _MARKS) else ():
            if local(style) == "style":
                self._take(style)
            elif local(style) == "docDefaults":
                self._file = _said(part for default in style if local(default) == "rPrDefault" for part in default)

    def _take(self, style: _Element) -> None:
        based_on = next((_value(part, "val") for part in style if local(part) == "basedOn"), "")
        name = _value(style, "styleId")
        self._own[name] = (_said(style), based_on)
        if _value(style, "type") == "paragraph" and _value(style, "default") in {"1", "true", "on"}:
            self._default = name

    def look(self, paragraph: str, text: str) -> tuple[bool, bool, bool]:
        """Whether text is struck through, hidden, and raised by the styles of its paragraph and its own.

        Of the first two, either turns round what the other says, but not what all of the file is (ISO/IEC 29500-1,
        17.7.3).
        """
        one, other = self._style(paragraph or self._default), self._style(text)
        raised = one.raised if other.raised is None else other.raised
        struck = bool(self._file.struck) or bool(one.struck) != bool(other.struck)
        return struck, bool(self._file.hidden) or bool(one.hidden) != bool(other.hidden), bool(raised)

    def _style(self, name: str) -> Style:
        struck: bool | None = None
        hidden: bool | None = None
        raised: bool | None = None
        for _ in range(_MAX_ABOVE):
            own, name = self._own.get(name, (NOTHING, ""))
            struck = own.struck if struck is None else struck
            hidden = own.hidden if hidden is None else hidden
            raised = own.raised if raised is None else raised
        return Style(struck, hidden, raised)


def read_styles(package: zipfile.ZipFile) -> Styles:
    """Of a package; without styles where it has none.

    Raises:
        Unreadable: PASSWORD_PROTECTED or CORRUPT_PART.
    """
    return Styles(read_member(package, "word/styles.xml"))


def _said(parts: Iterable[_Element]) -> Style:
    """What the text properties among these say."""
    values = {local(mark): _value(mark, "val") for part in parts if local(part) == "rPr" for mark in part}
    marks = {name: value not in _OFF for name, value in values.items()}
    lines = [marks[mark] for mark in ("strike", "dstrike") if mark in marks]
    raised = values["vertAlign"] == "superscript" if "vertAlign" in values else None
    return Style(any(lines) if lines else None, marks.get("vanish"), raised)


def _value(element: _Element, name: str) -> str:
    return next((str(value) for key, value in element.items() if str(key).rpartition("}")[2] == name), "")
