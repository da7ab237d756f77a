"""The few facts of HTML styling that change what a reader sees: hidden, struck, bold, white, filled, quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import _Element
from msgspec import Struct

_DISPLAY = re.compile(r"(?:^|[;\s])display\s*:\s*([^;]+)", re.IGNORECASE)
_HIDDEN = re.compile(r"visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_STRUCK = re.compile(r"line-through", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*([^;]+)", re.IGNORECASE)
_BOLD = re.compile(r"bold|[6-9]00", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color|-image)?\s*:\s*([^;]+)", re.IGNORECASE)
_COLOUR = re.compile(r"(?:^|;)\s*color\s*:\s*([^;]+)", re.IGNORECASE)
_NESTED = re.compile(r"@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")  # rules for some screens, or for paper: not for all
_CLASS_RULE = re.compile(r"\.([\w-]+)\s*\{([^{}]*)\}")
_WHITE = frozenset({"white", "#fff", "#ffffff", "rgb(255,255,255)"})
_NO_FILL = frozenset({"none", "transparent", "inherit", "initial", "auto", "windowtext"})
_NO_COLOUR = frozenset({"inherit", "currentcolor", "unset"})
_STRUCK_TAGS, _BOLD_TAGS = frozenset({"s", "strike", "del"}), frozenset({"b", "strong", "th"})
_TELLING = _STRUCK_TAGS | _BOLD_TAGS
_QUOTE_CLASSES = frozenset({"gmail_quote", "gmail_extra", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix"})
_QUOTE_IDS = frozenset({"olk_src_body_section", "mail-editor-reference-message-container"})
_HISTORY_IDS = frozenset({"divrplyfwdmsg", "appendonsend"})
_MAX_RULES = 2000


class Styles:
    """Looks at an element's own attributes, and at class rules of the page's <style> blocks."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, str] = {}
        for sheet in sheets:
            for match in list(_CLASS_RULE.finditer(_NESTED.sub("", sheet)))[:_MAX_RULES]:
                self._rules[match[1]] = self._rules.get(match[1], "") + ";" + match[2]

    def of(self, element: _Element) -> str:
        """Declarations that apply, the element's own last; '' for most."""
        own = element.get("style") or ""
        if not self._rules:
            return own
        rules = [self._rules[name] for name in (element.get("class") or "").split() if name in self._rules]
        return ";".join([*rules, own]) if rules else own


class Look(Struct, frozen=True):
    """What an element hands down to what is in it."""

    struck: bool = False
    bold: bool = False
    white: bool = False
    filled: bool = False  # lies on a colour that is not the page's

    @property
    def unseen(self) -> bool:
        """White on white."""
        return self.white and not self.filled


PLAIN = Look()


def below(look: Look, element: _Element, style: str) -> Look:
    """The look inside an element that stands inside what looks like `look`."""
    if not style and element.tag not in _TELLING and len(element.attrib) == 0:  # most
        return look
    white, filled = is_white(element, style), is_filled(element, style)
    return Look(
        look.struck or is_struck(element, style),
        is_bold(element, style, around=look.bold),
        look.white if white is None else white,
        look.filled if filled is None else filled,
    )


def is_hidden(element: _Element, style: str) -> bool:
    """Takes no place on the page."""
    if element.get("hidden") is not None:
        return True
    return bool(style) and (_plain(_last(_DISPLAY, style) or "") == "none" or _HIDDEN.search(style) is not None)


def is_struck(element: _Element, style: str) -> bool:
    """Struck through: withdrawn."""
    return element.tag in _STRUCK_TAGS or bool(style and _STRUCK.search(style))


def is_bold(element: _Element, style: str, *, around: bool = False) -> bool:
    """Bold, as header cells are; as what is around it where it says nothing."""
    weight = _last(_WEIGHT, style)
    if weight is not None and not weight.strip().lower().startswith("inherit"):
        return _BOLD.match(weight.strip()) is not None
    return around or element.tag in _BOLD_TAGS


def is_filled(element: _Element, style: str) -> bool | None:
    """Has a background of its own that is not the page's; None where it has none."""
    said = [element.get("bgcolor") or "", *(_BACKGROUND.findall(style) if style else ())]
    colours = [colour for colour in map(_plain, said) if colour and colour not in _NO_FILL]
    return colours[-1] not in _WHITE if colours else None


def is_white(element: _Element, style: str) -> bool | None:
    """Its text is white; None where it has no colour of its own."""
    colour = _plain(_last(_COLOUR, style) or element.get("color") or "")
    return colour in _WHITE if colour and colour not in _NO_COLOUR else None


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
    found = pattern.findall(style) if style else None
    return found[-1] if found else None


def _plain(colour: str) -> str:
    return colour.lower().replace("!important", "").replace(" ", "").strip()
