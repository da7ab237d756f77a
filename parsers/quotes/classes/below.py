"""What a title means by what stands above it: `Corps` below sovereigns, `Senior` below covered bonds (spec 5.6)."""

from __future__ import annotations

import re

from parsers.lexicon import compiled

_EMERGING = "em_hard_ccy"
_CORPORATES = re.compile(r"\W*(?:corps?|corporates?|corporativos?)\W*", re.IGNORECASE)
_SENIOR = compiled(r"\W*{senior}\W*", re.IGNORECASE)
_OF_BANKS = frozenset({"covered_bond", "financial_sub"})
"""Ranks of banks' bonds beside which their senior ones stand."""


def class_below(text: str, named: str | None, section: str | None, subject: str | None = None) -> str | None:
    """The class that a title names where it stands.

    Args:
        text: of the title.
        named: the class that it names by itself.
        section: the class of the section above it.
        subject: the class of the mail's subject.
    """
    if named == "corp_ig" and _EMERGING in (section, subject) and _CORPORATES.fullmatch(text):
        return _EMERGING
    return "corp_ig" if named is None and section in _OF_BANKS and _SENIOR.fullmatch(text) else named
