"""A line with several quotes, in parts of one each (spec 5.11)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.quotes.runs import skip
from parsers.quotes.runs.clauses import clauses
from parsers.quotes.runs.joined import Joined
from parsers.quotes.runs.understanding import Understood


def parts_of(whole: Joined, line: Understood) -> Sequence[Joined]:
    """The parts of a line with two quotes or more; none on most lines, and of what is yet to be sold."""
    parts = [whole.of_spans(spans) for spans in line.variants or clauses(whole.text)]
    if not parts and line.second is not None:
        parts = [whole.before(line.second), whole.behind(line.second)]
    return () if parts and skip.is_primary(whole.text) else parts
