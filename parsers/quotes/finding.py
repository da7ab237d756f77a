"""Grids and lines in, quotes out: the upper half of the parsers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code, Flag
from parsers.document import Document, Grid, Line, Row
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.answers.told import Anew
from parsers.quotes.assemble import Assembled, assemble, assembled
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.footed import footed
from parsers.quotes.headings.nearest import nearest
from parsers.quotes.keys import apart
from parsers.quotes.pasted import read_pasted
from parsers.quotes.refusal import locator, refusal, row_text
from parsers.quotes.runs import RunResult, read_lines
from parsers.quotes.spoken import Spoken, words_of
from parsers.quotes.tables import fitted, read_grid, visible_first
from parsers.quotes.trust.beside import with_beside
from parsers.quotes.trust.trust import reasons, trust_of
from parsers.quotes.trust.weights import weights
from parsers.quotes.unended import unended
from parsers.quotes.unread import unread
from parsers.quotes.weighing.weighing import anew_of, is_whole, weigh
from parsers.quotes.work import Work


class Found(Struct, frozen=True):
    """What a document holds."""

    quotes: tuple[Quote, ...]
    rejects: tuple[Reject, ...]
    recognised: bool = True  # False: some table looks like prices, and nobody knows its columns
    unread: str | None = None  # where nothing was found: a row or line that looks like a quote


def find_quotes(document: Document, context: PartContext, work: Work | None = None) -> Found:
    """The quotes of a part, those of its tables before those of its lines, and the rows that were refused.

    Where the work that a part may be ends early, the row or line at which reading ended is refused, PART_TOO_LARGE;
    what was read before stands. `work` is what is left of it; by default as much as a whole part may be.
    """
    return _last(document, context, work or Work())[1]


def drafts_of(document: Document, context: PartContext) -> tuple[Draft, ...]:
    """The rows of a part as they are read first, before they are weighed."""
    return _read(document, context, Work()).drafts


def rows_of(document: Document, context: PartContext) -> Iterator[Assembled]:
    """The rows of a part that its quotes are made of, with those that are too little trusted to be kept."""
    for draft in _last(document, context, Work())[0].drafts:
        yield from (row for row in assembled(draft, context) if isinstance(row, Assembled))


def trusted_of(record_id: str, document: Document, context: PartContext) -> tuple[str, ...]:
    """Why a quote of a part is trusted as far as it is, a sentence each; nothing where none has this record_id."""
    by = weights()
    kept = [row for row in rows_of(document, context) if trust_of(row.factors, by).status is not None]
    for quote, row in zip(apart([row.quote for row in kept]), kept, strict=True):
        if quote.record_id == record_id:
            return tuple(reasons(row.factors, by))
    return ()


def _last(document: Document, context: PartContext, work: Work) -> tuple[_Read, Found]:
    """The reading that stands: the first, or that of blocks that are of another class than they were read under."""
    begun = work.left
    read, anew = _weighed(_read(document, context, work), work)
    found = _found(read, document, context)
    if not anew or work.left < begun - work.left:
        return read, found
    again, _ = _weighed(_read(document, replace(context, anew=anew), work), work)
    other = _found(again, document, context)
    return (again, other) if is_whole(found.quotes, other.quotes) else (read, found)


def _weighed(read: _Read, work: Work) -> tuple[_Read, tuple[Anew, ...]]:
    """The rows with what stands beside them, and the blocks that are of another class than they were read under."""
    blocks = weigh(read.drafts, work)
    return replace(read, drafts=with_beside(read.drafts, blocks)), anew_of(blocks)


class _Read(Struct, frozen=True):
    """What the readers of a part hand over."""

    drafts: tuple[Draft, ...]
    rejects: tuple[Reject, ...]
    unknown: tuple[Reject, ...]  # one a table whose columns nobody knows
    recognised: bool


def _read(document: Document, context: PartContext, work: Work) -> _Read:
    """What the readers hand over; of a dealer with words of his own by these, with what is printed."""
    words = words_of(context.mail.dealer)
    if words is None:
        return _as_printed(document, context, work)
    spoken = Spoken(words, document, context)
    read = _as_printed(spoken.document, spoken.context, work)
    drafts, rejects = tuple(map(spoken.draft, read.drafts)), tuple(map(spoken.reject, read.rejects))
    return _Read(drafts, rejects, tuple(map(spoken.reject, read.unknown)), read.recognised)


def _as_printed(document: Document, context: PartContext, work: Work) -> _Read:
    drafts: list[Draft] = []
    rejects: list[Reject] = []
    unknown: list[Reject] = []
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
        grid, ended = fitted(block, work)
        read = _of_grid(document, at, grid, context, work)
        is_below = is_below or bool(read.drafts)
        drafts += read.drafts
        rejects += read.rejects
        unknown += read.unknown
        is_recognised = is_recognised and read.recognised
        if work.for_tables <= 0 and block.rows:
            if not any(reject.code is Code.PART_TOO_LARGE for reject in rejects):
                row = ended or block.rows[-1]
                rejects.append(_refused(Code.PART_TOO_LARGE, block, row, context, document.parser))
            break
    lines = [block for block in document.blocks if isinstance(block, Line)]
    runs = _runs(lines, context, below_tables, work)
    rejects += runs.rejects
    found = visible_first([*drafts, *_marked(runs.drafts, lines)])
    return _Read(found, tuple(rejects), tuple(unknown), is_recognised)


def _of_grid(document: Document, at: int, grid: Grid, context: PartContext, work: Work) -> _Read:
    """What a grid hands over, read as a table or else as a run that was pasted into one.

    Args:
        document: that it is of.
        at: its place among the blocks.
        grid: as much of it as the work allows.
        context: of the part.
        work: what is left of that of the part.
    """
    above = nearest(document.blocks, at)
    table = read_grid(grid, context, above)
    pasted = _pasted(grid, context, above, work) if not table.drafts else ((), ())
    drafts, rejects = footed((*table.drafts, *pasted[0]), document.blocks, at), (*table.rejects, *pasted[1])
    unknown: list[Reject] = []
    if not table.recognised and not pasted[0] and grid.rows:
        told = _refused(Code.TABLE_NOT_RECOGNISED, grid, grid.rows[0], context, document.parser)
        unknown.append(replace(told, detail="a table whose columns nobody knows"))
    return _Read(
        tuple(replace(draft, parser=document.parser) for draft in drafts),
        tuple(replace(reject, parser=document.parser) for reject in rejects),
        tuple(unknown),
        table.recognised,
    )


def _runs(lines: Sequence[Line], context: PartContext, below_tables: set[int], work: Work) -> RunResult:
    return read_lines(lines, context, below_tables=below_tables, work=work) if lines else RunResult(())


def _found(read: _Read, document: Document, context: PartContext) -> Found:
    quotes: list[Quote] = []
    rejects = list(read.rejects)
    for draft in read.drafts:
        made, refused = assemble(draft, context)
        quotes += made
        rejects += refused
    if not quotes:
        return Found((), tuple(rejects), read.recognised, unread(document, context))
    rejects += unended(document, quotes, rejects, context)
    return Found(apart(quotes), (*rejects, *read.unknown), read.recognised)


def _pasted(
    grid: Grid, context: PartContext, above: Sequence[Line | Grid], work: Work
) -> tuple[tuple[Draft, ...], tuple[Reject, ...]]:
    """As `read_pasted`, by the work that tables may take."""
    apart = work.apart()
    found = read_pasted(grid, context, above, apart)
    work.spend(-apart.left)
    return found


def _refused(code: Code, grid: Grid, row: Row, context: PartContext, parser: str) -> Reject:
    where = locator(sheet=grid.sheet, page=row.page, table_idx=grid.table_idx, row=row.number)
    return refusal(context, code, where=where, text=row_text(row.cells), parser=parser)


def _marked(drafts: Sequence[Draft], lines: Iterable[Line]) -> Sequence[Draft]:
    """The drafts, those of hidden lines with their flag (spec 5.8)."""
    hidden = {line.number for line in lines if line.hidden}
    if not hidden:
        return drafts
    return [
        replace(draft, flags=draft.flags | {Flag.hidden_source}) if draft.line in hidden else draft for draft in drafts
    ]


__all__ = ["Found", "find_quotes"]
