"""What the <style> blocks of a page declare of its classes and ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

_NESTED = re.compile(r"@[^@{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")  # rules for some screens, or for paper: not for all
_NAMED = re.compile(r"[^.#]{0,200}(?:[.#][^.#]{0,200}){0,8}?([.#][\w-]+)")
"""A selector that ends in a class or an id: that is what it speaks of."""
_TELLING = frozenset(
    {
        "background",
        "background-color",
        "background-image",
        "clip",
        "clip-path",
        "color",
        "display",
        "font-size",
        "font-weight",
        "height",
        "left",
        "margin-left",
        "margin-right",
        "margin-top",
        "max-height",
        "max-width",
        "mso-hide",
        "opacity",
        "overflow",
        "right",
        "scale",
        "text-decoration",
        "text-decoration-line",
        "text-indent",
        "top",
        "transform",
        "vertical-align",
        "visibility",
        "width",
    }
)
"""Properties that are looked at: of the others a rule may say as much as it likes for every element that it is of."""
_IMPORTANT = re.compile(r"\s*!\s*important\s*$", re.IGNORECASE)
_MARK = "!important"  # as it is kept at the end of a value
_MAX_RULES = 2000  # of a sheet
_MAX_VALUE = 60  # characters of a declaration
_MAX_CLASSES = 32  # of an element, each once


class Rules:
    """Rules for classes and ids, which a page may repeat for thousands of elements without an end."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, dict[str, str]] = {}
        self._declared: dict[tuple[str, str], str] = {}  # by class and id: a page has few different ones
        for sheet in sheets:
            for name, declared in islice(_rules(_NESTED.sub("", sheet)), _MAX_RULES):
                _say(self._rules.setdefault(name, {}), declared)

    def declared(self, classes: str, id_: str) -> str:
        """The declarations for an element of these attributes, the ones that hold last; '' for most."""
        if not self._rules:
            return ""
        text = self._declared.get((classes, id_))
        if text is None:
            said: dict[str, str] = {}
            for name in islice(dict.fromkeys(classes.split()), _MAX_CLASSES):
                _say(said, self._rules.get(f".{name}", {}))
            _say(said, self._rules.get(f"#{id_}", {}))
            text = self._declared[classes, id_] = ";".join(f"{name}:{value}" for name, value in said.items())
        return text


def _rules(sheet: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The classes and ids that a sheet has rules for, each with what is declared of it."""
    for rule in sheet.split("}"):
        selectors, brace, text = rule.rpartition("{")
        if not brace:
            continue
        declared = _declared(text)
        named = (_NAMED.fullmatch(selector.strip()) for selector in selectors.split(","))
        yield from ((name, declared) for name in dict.fromkeys(match[1] for match in named if match is not None))


def settled(style: str) -> str:
    """Declarations without those that do not hold beside the others, nor their marks of importance."""
    return ";".join(f"{name}:{value.removesuffix(_MARK)}" for name, value in _declared(style).items())


def _declared(text: str) -> dict[str, str]:
    declared: dict[str, str] = {}
    for name, _, value in (part.partition(":") for part in text.split(";")):
        if (name := name.strip().lower()) in _TELLING:
            plain, marks = _IMPORTANT.subn("", value)
            _say(declared, {name: plain.strip()[:_MAX_VALUE] + marks * _MARK})
    return declared


def _say(said: dict[str, str], more: dict[str, str]) -> None:
    """The later holds, and comes behind what it does not replace; unless only the earlier is important."""
    for name, value in more.items():
        if said.get(name, "").endswith(_MARK) and not value.endswith(_MARK):
            continue
        said.pop(name, None)
        said[name] = value
