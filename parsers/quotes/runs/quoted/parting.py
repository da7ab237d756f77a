"""A line with several quotes, in parts of one each (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from parsers.quotes.runs.lines import skip
from parsers.quotes.runs.lines.joined import Joined
from parsers.quotes.runs.marked.wishes import is_switch
from parsers.quotes.runs.quoted.clauses import Span, clauses
from parsers.quotes.runs.quoted.second import LONG
from parsers.quotes.runs.quoted.understanding import Understood

_FEW = 3
_AGAINST = re.compile(r"\s(?:vs\.?|versus|against)\s", re.IGNORECASE)
"""Between the two sides of an idea: `we like selling X 5y at 118 vs buying X 6.45 36 at T+165`."""


def _clauses(text: str) -> Sequence[Sequence[Span]]:
    """The clauses of a line, of a long one all: to read what is left of it anew for each takes the square of it."""
    found = clauses(text)
    every: list[list[Span]] = []
    at = 0
    while len(found) > 1 and len(found[1]) == 1 and len(text) - at > LONG:
        every.append([(at + start, at + end) for start, end in found[0]])
        at += found[1][0][0]
        found = clauses(text[at:])
    last = [[(at + start, at + end) for start, end in spans] for spans in found]
    return [*every, *(last or ([[(at, len(text))]] if every else []))]


def parts_of(whole: Joined, line: Understood) -> Sequence[Joined]:
    """The parts of a line with two quotes or more; none on most lines, and of what is yet to be sold."""
    is_many = len(line.others) > _FEW
    parts = [whole.of_spans(spans) for spans in line.variants or (() if is_many else _clauses(whole.text))]
    if not parts and line.others:
        ends = [*line.others, len(whole.text)]
        parts = [whole.before(ends[0]), *(whole.of_spans([span]) for span in pairwise(ends))]
    is_none = bool(parts) and (skip.is_primary(whole.text) or (_AGAINST.search(whole.text) and is_switch(whole.text)))
    return () if is_none else parts
