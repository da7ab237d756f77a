"""Grids and lines in, quotes out: the upper half of the parsers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.document import Document, Line
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.assemble import assemble
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.footed import footed
from parsers.quotes.headings.nearest import nearest
from parsers.quotes.keys import apart
from parsers.quotes.pasted import read_pasted
from parsers.quotes.runs import RunResult, read_lines
from parsers.quotes.tables import read_grid, visible_first


class Found(Struct, frozen=True):
    """What a document holds."""

    quotes: tuple[Quote, ...]
    rejects: tuple[Reject, ...]
    recognised: bool = True  # False: some table looks like prices, and nobody knows its columns


def find_quotes(document: Document, context: PartContext) -> Found:
    """The quotes of a part, those of its tables before those of its lines, and the rows that were refused."""
    drafts: list[Draft] = []
    rejects: list[Reject] = []
    below_tables: set[int] = set()
    is_below = False
    is_recognised = True
    for at, block in enumerate(document.blocks):
        if isinstance(block, Line):
            if is_below:
                below_tables.add(block.number)
                is_below = False
            continue
        if block.quoted:
            continue
        above = nearest(document.blocks, at)
        table = read_grid(block, context, above)
        pasted = read_pasted(block, context, above) if not table.drafts else ((), ())
        is_below = is_below or bool(table.drafts or pasted[0])
        drafts += (
            replace(draft, parser=document.parser) for draft in footed((*table.drafts, *pasted[0]), document.blocks, at)
        )
        rejects += (replace(reject, parser=document.parser) for reject in (*table.rejects, *pasted[1]))
        is_recognised = is_recognised and table.recognised
    lines = [block for block in document.blocks if isinstance(block, Line)]
    runs = read_lines(lines, context, below_tables=below_tables) if lines else RunResult(())
    quotes: list[Quote] = []
    rejects += runs.rejects
    for draft in visible_first([*drafts, *_marked(runs.drafts, lines)]):
        made, refused = assemble(draft, context)
        quotes += made
        rejects += refused
    return Found(apart(quotes), tuple(rejects), is_recognised)


def _marked(drafts: Sequence[Draft], lines: Iterable[Line]) -> Sequence[Draft]:
    """The drafts, those of hidden lines with their flag (spec 5.8)."""
    hidden = {line.number for line in lines if line.hidden}
    if not hidden:
        return drafts
    return [
        replace(draft, flags=draft.flags | {Flag.hidden_source}) if draft.line in hidden else draft for draft in drafts
    ]


__all__ = ["Found", "find_quotes"]
