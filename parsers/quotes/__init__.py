"""Grids and lines in, quotes out: the upper half of the parsers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from parsers.document import Document, Grid, Line
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.assemble import assemble
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.runs import read_lines
from parsers.quotes.tables import read_grid, visible_first


@dataclass(frozen=True, slots=True)
class Found:
    """What a document holds."""

    quotes: tuple[Quote, ...]
    rejects: tuple[Reject, ...]
    recognised: bool = True  # False: some table looks like prices, and nobody knows its columns


def find_quotes(document: Document, context: PartContext) -> Found:
    """The quotes of a part, in reading order, and the rows that were refused."""
    drafts: list[Draft] = []
    rejects: list[Reject] = []
    before: list[Line | Grid] = []
    lines: list[Line] = []
    is_recognised = True
    for block in document.blocks:
        if isinstance(block, Line):
            lines.append(block)
            before.append(block)
            continue
        if not block.quoted:
            found = read_grid(block, context, before)
            drafts += (replace(draft, parser=document.parser) for draft in found.drafts)
            rejects += (replace(reject, parser=document.parser) for reject in found.rejects)
            is_recognised = is_recognised and found.recognised
        before.append(block)
    drafts = list(visible_first(drafts))
    runs = read_lines(lines, context)
    drafts += runs.drafts
    rejects += runs.rejects
    quotes: list[Quote] = []
    for draft in drafts:
        made, refused = assemble(draft, context)
        quotes += made
        rejects += refused
    return Found(tuple(quotes), tuple(rejects), is_recognised)


__all__ = ["Found", "find_quotes"]
