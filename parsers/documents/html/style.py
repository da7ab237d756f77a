"""The few facts of HTML styling that change what a reader sees: hidden, struck, raised, bold, white, filled, quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from lxml.etree import _Element
from msgspec import Struct

from parsers.documents.html.stylesheet import Rules, settled

_DISPLAY = re.compile(r"(?:^|[;\s])display\s*:\s*([^;]+)", re.IGNORECASE)
_HIDDEN = re.compile(r"visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all", re.IGNORECASE)
_OPACITY = re.compile(r"(?:^|[;\s])opacity\s*:\s*([^;]+)", re.IGNORECASE)
_FLAT = re.compile(
    r"(?:^|;)\s*(?:transform\s*:[^;]*?scale[xy]?\(|scale\s*:)(?:[^;)]*[\s,])?\s*0[0.]*%?(?:[,);\s]|$)", re.IGNORECASE
)
"""Made so small, or so thin, that nothing is left."""
_SIZE = re.compile(r"(?:^|[;\s])font-size\s*:\s*([^;]+)", re.IGNORECASE)
_NO_ROOM = re.compile(r"(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*0[0.]*(?:px|pt|em|rem|%)?\s*(?:;|$)", re.IGNORECASE)
_OVERFLOW = re.compile(r"overflow\s*:\s*hidden", re.IGNORECASE)
_AWAY = re.compile(
    r"(?:left|right|top|text-indent)\s*:\s*-(?:\d{4}|\d{3}\s?(?:r?em|v[wh]|%))|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]|"
    r"clip-path\s*:\s*inset\(\s*(?:50|100)%",
    re.IGNORECASE,
)
"""Off the screen, or cut off."""
_LENGTH = re.compile(r"(\d*\.?\d*)(|px|pt|r?em|%)")
_UNREADABLE = {
    "": Fraction(0),
    "px": Fraction(1),
    "pt": Fraction(1),
    "em": Fraction(1, 10),
    "rem": Fraction(1, 10),
    "%": Fraction(10),
}
"""Sizes of a font, by their units, at which nobody sees a figure."""
_RAISED = re.compile(r"vertical-align\s*:\s*(?:su(?:per|b)|[1-9.]|text-top)", re.IGNORECASE)
_TABLED = frozenset({"table", "tbody", "td", "tfoot", "th", "thead", "tr"})  # these grow with what stands in them
_INLINE = frozenset({"a", "b", "em", "font", "i", "small", "span", "strong", "u"})  # elements that are a part of a line
_STRUCK = re.compile(r"line-through", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*([^;]+)", re.IGNORECASE)
_BOLD = re.compile(r"bold|[6-9]00", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color|-image)?\s*:\s*([^;]+)", re.IGNORECASE)
_COLOUR = re.compile(r"(?:^|;)\s*color\s*:\s*([^;]+)", re.IGNORECASE)
_WHITE = frozenset({"white", "#fff", "#ffffff", "rgb(255,255,255)"})
_CLEAR = re.compile(r"transparent|rgba\((?:[^,]*,){3}(?:0%?|0?\.0+)\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0")
_NO_FILL = frozenset({"none", "transparent", "inherit", "initial", "auto", "windowtext"})
_AS_AROUND = frozenset({"inherit", "currentcolor", "unset", "100%", "1em"})
_QUOTE_CLASSES = frozenset({"gmail_quote", "gmail_extra", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix"})
_QUOTE_IDS = frozenset({"olk_src_body_section", "mail-editor-reference-message-container"})
_HISTORY_IDS = frozenset({"divrplyfwdmsg", "appendonsend"})


class Look(Struct, frozen=True):
    """How text looks by all that is around it."""

    struck: bool = False
    bold: bool = False
    white: bool = False
    filled: bool = False  # lies on a colour that is not the page's
    clear: bool = False  # of no colour
    sizeless: bool = False  # of no size

    @property
    def unseen(self) -> bool:
        """White on white, or of no colour at all."""
        return self.clear or (self.white and not self.filled)


PLAIN = Look()


class Told(Struct, frozen=True):
    """What an element itself says; None is nothing."""

    hidden: bool = False
    struck: bool = False
    raised: bool = False
    bold: bool | None = None
    white: bool | None = None
    filled: bool | None = None
    clear: bool = False  # where `white` says something
    sizeless: bool | None = None

    def inside(self, around: Look) -> Look:
        """The look inside the element, where it stands inside what looks like `around`."""
        return Look(
            around.struck or self.struck,
            around.bold if self.bold is None else self.bold,
            around.white if self.white is None else self.white,
            around.filled if self.filled is None else self.filled,
            around.clear if self.white is None else self.clear,
            around.sizeless if self.sizeless is None else self.sizeless,
        )


NOTHING = Told()
_BY_TAG = (
    dict.fromkeys(("s", "strike", "del"), Told(struck=True))
    | dict.fromkeys(("b", "strong", "th"), Told(bold=True))
    | dict.fromkeys(("sup", "sub", "rt"), Told(raised=True))
)


class Styles:
    """Looks at an element's own attributes, and at the rules for classes and ids of the page's <style> blocks."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules = Rules(sheets)
        self._told: dict[tuple[str | None, ...], Told] = {}  # a page says few different things

    def told(self, element: _Element) -> Told:
        """What the element says by its tag, its attributes and the rules of its classes and its id."""
        tag = str(element.tag)
        if not element.keys():  # most
            return _BY_TAG.get(tag, NOTHING)
        asked = (tag, self._of(element), element.get("hidden"), element.get("bgcolor"), element.get("color"))
        told = self._told.get(asked)
        if told is None:
            told = self._told[asked] = _told(element, settled(asked[1] or ""))
        return told

    def _of(self, element: _Element) -> str:
        """Declarations that apply, the element's own last; '' for most."""
        own = element.get("style") or ""
        ruled = self._rules.declared(element.get("class") or "", element.get("id") or "")
        return f"{ruled};{own}" if ruled else own


def _told(element: _Element, style: str) -> Told:
    by_tag = _BY_TAG.get(str(element.tag), NOTHING)
    is_inline = element.tag in _INLINE  # others of no font size may be there for the gaps between what stands in them
    size = _plain(_last(_SIZE, style) or "")
    is_sizeless = _is_nothing(size)
    weight = (_last(_WEIGHT, style) or "inherit").strip().lower()
    colour = _plain(_last(_COLOUR, style) or element.get("color") or "")
    told = Told(
        hidden=(is_inline and is_sizeless) or _is_hidden(element, style, is_inline=is_inline),
        struck=by_tag.struck or _STRUCK.search(style) is not None,
        raised=by_tag.raised or (is_inline and _RAISED.search(style) is not None),
        bold=by_tag.bold if weight.startswith("inherit") else _BOLD.match(weight) is not None,
        white=_is_said(colour, colour in _WHITE),
        filled=_is_filled([element.get("bgcolor") or "", *_BACKGROUND.findall(style)]),
        clear=_CLEAR.fullmatch(colour) is not None,
        sizeless=_is_said(size, is_sizeless),
    )
    return NOTHING if told == NOTHING else told


def _is_hidden(element: _Element, style: str, *, is_inline: bool) -> bool:
    """Whether attribute or style takes an element away: not shown, clear, in a box without room, or off the page."""
    display = _plain(_last(_DISPLAY, style) or "inline")
    if element.get("hidden") is not None or display == "none" or _HIDDEN.search(style) is not None:
        return True
    if _is_nothing(_plain(_last(_OPACITY, style) or "")) or _AWAY.search(style) is not None:
        return True
    if is_inline and display == "inline":  # of a part of a line no box is heeded
        return False
    return _FLAT.search(style) is not None or (element.tag not in _TABLED and _has_no_room(style))


def _is_filled(said: list[str]) -> bool | None:
    """Whether the last background that is one differs from the page's."""
    colours = [colour for colour in map(_plain, said) if colour and colour not in _NO_FILL]
    return colours[-1] not in _WHITE if colours else None


def _is_said(value: str, holds: bool) -> bool | None:  # noqa: FBT001 -- what is passed through
    """None where nothing is said but what is around."""
    return holds if value and value not in _AS_AROUND else None


def _is_nothing(size: str) -> bool:
    """Whether a size, or a share of what is seen, is none that anybody sees."""
    match = _LENGTH.fullmatch(size)
    return match is not None and match[1] not in ("", ".") and Fraction(f"0{match[1]}") <= _UNREADABLE[match[2]]


def _has_no_room(style: str) -> bool:
    return _OVERFLOW.search(style) is not None and _NO_ROOM.search(style) is not None


def is_quote(element: _Element) -> bool:
    """Holds text of an earlier mail (spec 6.1)."""
    if element.tag == "blockquote" and (element.get("type") or "").lower() == "cite":
        return True
    classes = (element.get("class") or "").lower().split()
    return not _QUOTE_CLASSES.isdisjoint(classes) or (element.get("id") or "").lower() in _QUOTE_IDS


def opens_history(element: _Element) -> bool:
    """Everything from here on is an earlier mail: Outlook's marks."""
    return (element.get("id") or "").lower() in _HISTORY_IDS


def _last(pattern: re.Pattern[str], style: str) -> str | None:
    found = pattern.findall(style)
    return found[-1] if found else None


def _plain(colour: str) -> str:
    return colour.lower().replace(" ", "").strip()
