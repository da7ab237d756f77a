"""What the styles of a Word file strike through, hide, raise or make white, of word/styles.xml."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable

from lxml.etree import _Element
from msgspec import Struct
from msgspec.structs import astuple

from parsers.documents.package import local, packed_member, parse_xml, read_member

_OFF = frozenset({"0", "false", "off", "none"})
_RAISED = frozenset({"superscript", "subscript"})
_WHITE = frozenset({"FFFFFF", "ffffff"})
_MARKS = (b"strike", b"vanish", b"superscript", b"subscript", b"FFFFFF", b"ffffff")
_MAX_KNOWN_BYTES = 2**20  # of one file's styles
_MAX_KNOWN = 8  # files' styles
_MAX_ABOVE = 20  # styles that one is based on, by way of each other


class Style(Struct, frozen=True):
    """What a style says of text; None is nothing."""

    struck: bool | None = None
    hidden: bool | None = None
    raised: bool | None = None
    white: bool | None = None
    shaded: bool | None = None


NOTHING = Style()
_NAME = "word/styles.xml"


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

    def white(self, paragraph: str, text: str) -> bool:
        """Whether text is white by these styles, and none of them shades it."""
        styles = (self._style(text), self._style(paragraph or self._default), self._file)
        is_white = next((style.white for style in styles if style.white is not None), False)
        return is_white and not any(style.shaded for style in styles)

    def _style(self, name: str) -> Style:
        said = NOTHING
        for _ in range(_MAX_ABOVE):
            if name not in self._own:
                break
            own, name = self._own[name]
            said = Style(
                *(above if mine is None else mine for mine, above in zip(astuple(said), astuple(own), strict=True))
            )
        return said


_known: dict[object, Styles] = {}


def read_styles(package: zipfile.ZipFile, data: bytes) -> Styles:
    """Of a package, and the bytes that it is; without styles where it has none.

    Files come from few templates, whose styles are most of what they hold: 350 kB beside a sheet of 120 kB. So those
    of the last ones are kept, each under what stands in the file for them.

    Raises:
        Unreadable: PASSWORD_PROTECTED or CORRUPT_PART.
    """
    key = packed_member(package, _NAME, data)
    known = _known.get(key)
    if known is not None:
        return known
    xml = read_member(package, _NAME)
    read = Styles(xml)
    if xml is not None and len(xml) <= _MAX_KNOWN_BYTES:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[key] = read
    return read


def _said(parts: Iterable[_Element]) -> Style:
    """What the properties of text and paragraphs among these say."""
    told = [part for part in parts if local(part) in {"rPr", "pPr"}]
    values = {local(mark): _value(mark, "val") for part in told if local(part) == "rPr" for mark in part}
    marks = {name: value not in _OFF for name, value in values.items()}
    lines = [marks[mark] for mark in ("strike", "dstrike") if mark in marks]
    raised = values["vertAlign"] in _RAISED if "vertAlign" in values else None
    white = values["color"] in _WHITE if "color" in values else None
    shaded = any(local(mark) in {"shd", "highlight"} for part in told for mark in part) or None
    return Style(any(lines) if lines else None, marks.get("vanish"), raised, white, shaded)


def _value(element: _Element, name: str) -> str:
    return next((str(value) for key, value in element.items() if str(key).rpartition("}")[2] == name), "")
