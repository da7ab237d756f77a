"""The few facts of HTML styling that change what a reader sees: hidden, struck, bold, filled, quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import _Element

_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_STRUCK = re.compile(r"line-through", re.IGNORECASE)
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)
_COLOUR = re.compile(r"(?:^|;)\s*color\s*:\s*([^;]+)", re.IGNORECASE)
_CLASS_RULE = re.compile(r"\.([\w-]+)\s*\{([^{}]*)\}")
_WHITE = frozenset({"white", "#fff", "#ffffff", "rgb(255,255,255)"})
_NO_FILL = _WHITE | {"none", "transparent", "inherit", "initial", "auto", "windowtext"}
_QUOTE_CLASSES = frozenset({"gmail_quote", "gmail_extra", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix"})
_QUOTE_IDS = frozenset({"olk_src_body_section", "mail-editor-reference-message-container"})
_HISTORY_IDS = frozenset({"divrplyfwdmsg", "appendonsend"})
_MAX_RULES = 2000


class Styles:
    """Looks at an element's own attributes, and at class rules of the page's <style> blocks."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, str] = {}
        for sheet in sheets:
            for match in list(_CLASS_RULE.finditer(sheet))[:_MAX_RULES]:
                self._rules[match[1]] = self._rules.get(match[1], "") + ";" + match[2]

    def of(self, element: _Element) -> str:
        """Declarations that apply, the element's own last; '' for most."""
        own = element.get("style") or ""
        if not self._rules:
            return own
        rules = [self._rules[name] for name in (element.get("class") or "").split() if name in self._rules]
        return ";".join([*rules, own]) if rules else own


def is_hidden(element: _Element, style: str) -> bool:
    """Takes no place on the page."""
    return element.get("hidden") is not None or bool(style and _HIDDEN.search(style))


def is_struck(element: _Element, style: str) -> bool:
    """Struck through: withdrawn."""
    return element.tag in {"s", "strike", "del"} or bool(style and _STRUCK.search(style))


def is_bold(element: _Element, style: str) -> bool:
    """Bold, as header cells are."""
    return element.tag in {"b", "strong", "th"} or bool(style and _BOLD.search(style))


def is_filled(element: _Element, style: str) -> bool:
    """Has a background of its own that is not the page's."""
    colour = element.get("bgcolor") or _last(_BACKGROUND, style)
    return colour is not None and _plain(colour) not in _NO_FILL


def is_white(element: _Element, style: str) -> bool:
    """Its text is white."""
    colour = element.get("color") or _last(_COLOUR, style)
    return colour is not None and _plain(colour) in _WHITE


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
