"""What a line quotes: its levels, where it is a run's and they can be told apart (spec 2.9, 5.11)."""

from __future__ import annotations

import re

from parsers.codes import QuoteKind
from parsers.quotes.draft import Level
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.cutting.ground import ground_of
from parsers.quotes.runs.levels.levels import levels
from parsers.quotes.runs.lines.block import Block
from parsers.quotes.runs.marked.gone import is_change_alone
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.marked.wishes import is_switch
from parsers.quotes.runs.quoted.clauses import names_two
from parsers.quotes.runs.quoted.judging import is_nonsense, is_run
from parsers.quotes.runs.quoted.understanding import Understood

_TORN = re.compile(r"\s?\.\.(?!\.)\s?\d|[-–]\d")
"""Behind a level: it is part of something that nobody could read, `97..98`, `58-3/58-5`; dots that lead on are more."""
_TRANCHE = re.compile(r"\d{1,2}\s?-\s?\d{1,3}\s?%?(?:\s\D*)?")
"""Alone in a heading: `0-3 upfront`."""


def quoted(line: Understood, text: str, setting: Setting, block: Block) -> tuple[Level, ...] | None:
    """The levels of a run's line, none if it has no readable one; None if it is no run's.

    Args:
        line: understood under the headings over it.
        text: of it.
        setting: what those headings say.
        block: that it stands in.
    """
    reading, name = line.reading, line.asset_class
    if not (reading.named.name or reading.named.identifiers or setting.issuer):
        return None
    if name == "cds_index" and _TRANCHE.fullmatch(setting.issuer or "") is not None:
        return ()  # of the tranche, not of the index
    is_sided = setting.side is not None or setting.kind in (QuoteKind.mark, QuoteKind.trade)
    if not is_run(reading, text, name, line.class_source, sided=is_sided, tenor=setting.tenor):
        return None
    if _is_unreadable(reading, text):
        return ()
    found = levels(reading, ground_of(name, setting, block, reading.named.name))
    if reading.named.is_certain:
        return found
    return found if found and not any(is_nonsense(level, name) for level in found) else None


def _is_unreadable(reading: Reading, text: str) -> bool:
    """Whether nobody can say what the levels are of: torn, of two instruments, or of a change alone."""
    if reading.is_torn or any(_TORN.match(text, mark.token.end) for mark in reading.marks):
        return True
    return is_change_alone(reading) or is_switch(text) or names_two(reading.named.name)
