"""The few facts of HTML styling that change what a reader sees: hidden, struck, raised, bold, white, filled, quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import _Element
from msgspec import Struct

_DISPLAY = re.compile(r"(?:^|[;\s])display\s*:\s*([^;]+)", re.IGNORECASE)
_HIDDEN = re.compile(r"visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all", re.IGNORECASE)
_OPACITY = re.compile(r"(?:^|[;\s])opacity\s*:\s*([^;]+)", re.IGNORECASE)
_CLIPPED = re.compile(r"overflow\s*:\s*hidden", re.IGNORECASE)
_MAX_HEIGHT = re.compile(r"(?:^|[;\s])max-height\s*:\s*([^;]+)", re.IGNORECASE)
_SIZE = re.compile(r"(?:^|[;\s])font-size\s*:\s*([^;]+)", re.IGNORECASE)
_ZERO = re.compile(r"(?:0+(?:\.0*)?|\.0+)(?:px|pt|em|rem|%)?")
_RAISED = re.compile(r"vertical-align\s*:\s*(?:super|[1-9.]|text-top)", re.IGNORECASE)
_INLINE = frozenset({"a", "b", "em", "font", "i", "small", "span", "strong", "u"})  # elements that are a part of a line
_STRUCK = re.compile(r"line-through", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*([^;]+)", re.IGNORECASE)
_BOLD = re.compile(r"bold|[6-9]00", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color|-image)?\s*:\s*([^;]+)", re.IGNORECASE)
_COLOUR = re.compile(r"(?:^|;)\s*color\s*:\s*([^;]+)", re.IGNORECASE)
_NESTED = re.compile(
    r"@[^@{};]{0,1000}\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}"
)  # rules for some screens, or for paper: not for all
_NAMED = re.compile(r"(?:^|[\s>+~])\w*([.#][\w-]+)$")  # what a selector ends in; what stands before is not looked at
_WHITE = frozenset({"white", "#fff", "#ffffff", "rgb(255,255,255)"})
_NO_FILL = frozenset({"none", "transparent", "inherit", "initial", "auto", "windowtext"})
_NO_COLOUR = frozenset({"inherit", "currentcolor", "unset"})
_QUOTE_CLASSES = frozenset({"gmail_quote", "gmail_extra", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix"})
_QUOTE_IDS = frozenset({"olk_src_body_section", "mail-editor-reference-message-container"})
_HISTORY_IDS = frozenset({"divrplyfwdmsg", "appendonsend"})
_MAX_RULES, _MAX_SELECTORS = 2000, 50  # of a sheet, of a rule
_MAX_SELECTOR = 200  # characters of it, from its end


class Look(Struct, frozen=True):
    """How text looks by all that is around it."""

    struck: bool = False
    bold: bool = False
    white: bool = False
    filled: bool = False  # lies on a colour that is not the page's

    @property
    def unseen(self) -> bool:
        """White on white."""
        return self.white and not self.filled


PLAIN = Look()


class Told(Struct, frozen=True):
    """What an element itself says; None is nothing."""

    hidden: bool = False
    struck: bool = False
    raised: bool = False
    bold: bool | None = None
    white: bool | None = None
    filled: bool | None = None

    def inside(self, around: Look) -> Look:
        """The look inside the element, where it stands inside what looks like `around`."""
        return Look(
            around.struck or self.struck,
            around.bold if self.bold is None else self.bold,
            around.white if self.white is None else self.white,
            around.filled if self.filled is None else self.filled,
        )


NOTHING = Told()
_BY_TAG = (
    dict.fromkeys(("s", "strike", "del"), Told(struck=True))
    | dict.fromkeys(("b", "strong", "th"), Told(bold=True))
    | {"sup": Told(raised=True)}
)


class Styles:
    """Looks at an element's own attributes, and at the page's <style> blocks for its classes and its id."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, str] = {}  # by `.class` and `#id`
        self._told: dict[tuple[str | None, ...], Told] = {}  # a page says few different things
        for sheet in sheets:
            for rule in _NESTED.sub("", sheet).split("}")[:_MAX_RULES]:
                selectors, _, told = rule.rpartition("{")
                for selector in selectors.split(",")[:_MAX_SELECTORS]:
                    if named := _NAMED.search(selector[-_MAX_SELECTOR:].strip()):
                        self._rules[named[1]] = self._rules.get(named[1], "") + ";" + told

    def told(self, element: _Element) -> Told:
        """What the element says by its tag, its attributes and the rules of its classes."""
        tag = str(element.tag)
        if not element.keys():  # most
            return _BY_TAG.get(tag, NOTHING)
        asked = (tag, self._of(element), element.get("hidden"), element.get("bgcolor"), element.get("color"))
        told = self._told.get(asked)
        if told is None:
            told = self._told[asked] = _told(element, asked[1] or "")
        return told

    def _of(self, element: _Element) -> str:
        """Declarations that apply, the element's own last; '' for most."""
        own = element.get("style") or ""
        if not self._rules:
            return own
        names = [f".{name}" for name in (element.get("class") or "").split()] + [f"#{element.get('id')}"]
        rules = [self._rules[name] for name in names if name in self._rules]
        return ";".join([*rules, own]) if rules else own


def _told(element: _Element, style: str) -> Told:
    by_tag = _BY_TAG.get(str(element.tag), NOTHING)
    is_inline = element.tag in _INLINE  # blocks of no font size are there for the gaps between what stands in them
    weight = (_last(_WEIGHT, style) or "inherit").strip().lower()
    told = Told(
        hidden=element.get("hidden") is not None
        or _plain(_last(_DISPLAY, style) or "") == "none"
        or _HIDDEN.search(style) is not None
        or _ZERO.fullmatch(_plain(_last(_OPACITY, style) or "")) is not None
        or (_CLIPPED.search(style) is not None and _ZERO.fullmatch(_plain(_last(_MAX_HEIGHT, style) or "")) is not None)
        or (is_inline and _ZERO.fullmatch(_plain(_last(_SIZE, style) or "")) is not None),
        struck=by_tag.struck or _STRUCK.search(style) is not None,
        raised=by_tag.raised or (is_inline and _RAISED.search(style) is not None),
        bold=by_tag.bold if weight.startswith("inherit") else _BOLD.match(weight) is not None,
        white=_is_white(_last(_COLOUR, style) or element.get("color") or ""),
        filled=_is_filled([element.get("bgcolor") or "", *_BACKGROUND.findall(style)]),
    )
    return NOTHING if told == NOTHING else told


def _is_filled(said: list[str]) -> bool | None:
    """Whether the last background that is one differs from the page's."""
    colours = [colour for colour in map(_plain, said) if colour and colour not in _NO_FILL]
    return colours[-1] not in _WHITE if colours else None


def _is_white(said: str) -> bool | None:
    colour = _plain(said)
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
    found = pattern.findall(style)
    return found[-1] if found else None


def _plain(colour: str) -> str:
    return colour.lower().replace("!important", "").replace(" ", "").strip()
