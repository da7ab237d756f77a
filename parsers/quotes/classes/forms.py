"""Which class an instrument's text has the form of."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from parsers.quotes.classes.rules import all_rules, capitals, rules_of

_DEAL = re.compile(
    r"([A-Z0-9]{2,6}) (?:(?:19|20)\d\d-[A-Z0-9]{1,6}|\d{1,3}(?:X|-\d)?[A-Z]{0,2}(?! [2-9]\d\b)) [A-Z0-9]{1,5}\b(?![/.])"
)
"""`HERTZ 5 29` is a bond of the company."""

_SPELLED = re.compile(
    r"(?:[A-Z][\w&'’.]* ){1,4}(?:[IVXL]{1,6}|\d{1,3}X?|(?:19|20)\d\d-\w{1,4}) "
    r"(?:[A-Z](?:-?\d)?R{0,3}|SUB|Sub)(?![\w/.])"
)
"""A tranche of a deal in words, of whichever class a heading says: `CVC Cordatus XX D`, `Penta 2021-9 F`."""


@lru_cache(maxsize=4096)  # asked several times of a line, and the same bonds come every day
def class_by_instrument(text: str, *, strong: bool = False) -> str | None:
    """The class that an instrument's text has the form of; `strong`: only forms that leave no doubt."""
    text = capitals(text)
    match = _forms(strong=strong).match(text)
    return class_by_deal(text) or (match.lastgroup if match is not None else None)


def is_of_class(text: str, name: str) -> bool:
    """Whether an instrument's text has a form of this class."""
    rules = rules_of(name)
    text = capitals(text)
    for pattern in (rules.instruments, rules.strong):
        if pattern is not None and pattern.match(text) is not None:
            return True
    if rules.shelves and _SPELLED.match(text) is not None:
        return True
    deal = _DEAL.match(text) if rules.shelves else None
    return deal is not None and _shelves().get(deal[1], name) == name  # a shelf that nobody knows may be any's


def class_by_deal(text: str) -> str | None:
    """The class of a deal by its shelf: `BBCMS 2023-C19 A5`."""
    match = _DEAL.match(text)
    return _shelves().get(match[1]) if match is not None else None


@cache
def _forms(*, strong: bool) -> re.Pattern[str]:
    """The instruments of all classes, each in a group of the class's name: the first class that fits is the one."""
    forms = {rules.name: rules.strong if strong else rules.instruments for rules in all_rules().values()}
    return re.compile("|".join(f"(?P<{name}>{form.pattern})" for name, form in forms.items() if form is not None))


@cache
def _shelves() -> dict[str, str]:
    return {shelf: rules.name for rules in all_rules().values() for shelf in rules.shelves}
