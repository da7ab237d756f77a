"""A line with several quotes, in parts of one each (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.quotes.runs import skip
from parsers.quotes.runs.clauses import clauses
from parsers.quotes.runs.joined import Joined
from parsers.quotes.runs.understanding import Understood
from parsers.quotes.runs.wishes import is_switch

_AGAINST = re.compile(r"\s(?:vs\.?|versus|against)\s", re.IGNORECASE)
"""Between the two sides of an idea: `we like selling X 5y at 118 vs buying X 6.45 36 at T+165`."""


def parts_of(whole: Joined, line: Understood) -> Sequence[Joined]:
    """The parts of a line with two quotes or more; none on most lines, and of what is yet to be sold."""
    parts = [whole.of_spans(spans) for spans in line.variants or clauses(whole.text)]
    if not parts and line.second is not None:
        parts = [whole.before(line.second), whole.behind(line.second)]
    is_none = bool(parts) and (skip.is_primary(whole.text) or (_AGAINST.search(whole.text) and is_switch(whole.text)))
    return () if is_none else parts
