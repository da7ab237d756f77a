"""What the lines right below a table say that its prices are in: `All prices in EUR, indicative.` (spec 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec.structs import replace

from parsers.document import Grid, Line
from parsers.quotes.draft import Draft
from parsers.quotes.headings.notes import noted
from parsers.quotes.headings.surroundings import MAX_LINE

_NEAR_LINES = 3


def footed(drafts: Sequence[Draft], blocks: Sequence[Line | Grid], at: int) -> Sequence[Draft]:
    """The drafts of the table at an index, those without a currency in the one that a line below it states."""
    if all(draft.instrument.currency for draft in drafts):
        return drafts
    behind = takewhile(lambda block: isinstance(block, Line), blocks[at + 1 : at + 1 + _NEAR_LINES])
    texts = tuple(block.text.strip() for block in behind if isinstance(block, Line) and len(block.text) <= MAX_LINE)
    currency = noted(texts).currency if any(texts) else None
    if currency is None:
        return drafts
    return [
        draft if draft.instrument.currency else replace(draft, instrument=replace(draft.instrument, currency=currency))
        for draft in drafts
    ]
