"""One grid to drafts and rejects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Grid, Line, Row
from parsers.lexicon import compiled
from parsers.outcome import Reject
from parsers.quotes.answers.names import names_bond
from parsers.quotes.classes import class_by_words
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.heeding import under
from parsers.quotes.headings.notes import of_prices
from parsers.quotes.headings.roles import IDENTIFIERS, LEVEL, UNKNOWN
from parsers.quotes.headings.setting import beginning
from parsers.quotes.headings.told import told
from parsers.quotes.notices import is_confirmation, is_outlook
from parsers.quotes.refusal import locator, refusal
from parsers.quotes.regions import desk_of
from parsers.quotes.tables.around.above import lines_above
from parsers.quotes.tables.around.around import Around, Refused
from parsers.quotes.tables.around.classing import Class, table_class
from parsers.quotes.tables.around.records import has_both_sides, is_monitor, is_of_goods, is_recap, is_record, is_valued
from parsers.quotes.tables.around.titles import name_between, title_of
from parsers.quotes.tables.columns.table import Table, table_of
from parsers.quotes.tables.columns.unheaded import with_unheaded
from parsers.quotes.tables.grids.block import Block
from parsers.quotes.tables.grids.continuing import last_header
from parsers.quotes.tables.grids.headers import is_identifier, is_numeric
from parsers.quotes.tables.grids.infer import columns_of_markets, inferred, is_guess
from parsers.quotes.tables.grids.separators import joined
from parsers.quotes.tables.grids.split import blocks, is_same_header
from parsers.quotes.tables.plans.plan import left_out
from parsers.quotes.tables.rows import Rows
from parsers.values.currencies import symbol_in
from parsers.values.languages import language
from parsers.values.times.tenors import tenor

_NEAR_LINES = 2
_SAMPLED_ROWS = 200
_LEAST_KNOWN = 3  # headings of a list
_MIN_ROWS = 3  # from which a grid without a header looks like a price table
_SKIPPED_SHEETS = compiled(
    r"_.*|.*\b{sheet_without_prices}\b.*",
    re.IGNORECASE,
)
_EXCHANGES = re.compile(r"\bopen int(?:erest|\.|$)|^ETFs?$", re.IGNORECASE)  # theirs alone: no dealer's prices
_YEAR = re.compile(r"20\d\d[EFP]?")  # over a forecast


class TableResult(Struct, frozen=True):
    """What became of a grid."""

    drafts: tuple[Draft, ...] = ()
    rejects: tuple[Reject, ...] = ()
    recognised: bool = True  # False: it looks like a price table, and nobody knows its columns


class _Look(Struct, frozen=True, gc=False):
    """How a row without a header looks."""

    filled: int  # cells
    numbers: int
    has_identifier: bool  # beside two numbers
    has_tenor: bool  # in front of them
    is_priced: bool


def read_grid(grid: Grid, context: PartContext, before: Sequence[Line | Grid]) -> TableResult:
    """The quotes of a grid.

    Args:
        grid: a sheet, or a table of a page, mail or document.
        context: of its part.
        before: the blocks of the part that stand before it: lines are its headings, a grid may have its header.
    """
    lines = list(lines_above(before))
    done = (context.mail.subject or "", context.file_title or "", *lines[-_NEAR_LINES:])
    if _is_without_prices(grid.sheet) or any(map(is_confirmation, done)):
        return TableResult()
    is_announced = any(map(is_outlook, done[:2]))
    drafts: list[Draft] = []
    rejects: list[Reject] = []
    is_recognised = True
    inherited = last_header(before, grid)
    between = name_between(before)
    previous: Block | None = None
    for block in blocks(grid.rows):
        columns, is_headed = columns_of(block, inherited)
        if _is_no_dealers(block, columns):
            continue
        if columns is None:
            is_recognised = is_recognised and not _are_unknown_prices(block.body)
            continue
        titles = _titles(block, previous)
        previous = replace(block, titles=titles)
        if _is_of_past(columns, is_announced=is_announced, is_headed=is_headed):
            continue
        body = joined(block.body, frozenset(column.at for column in columns), block.first, block.last)
        around = around_of(titles, columns, grid, context, lines, named=(*between, *block.titles))
        table = with_unheaded(table_of(columns, body, headed=is_headed), block.first, block.last)
        if _is_wrap(table, around):
            continue
        found = list(Rows(replace(block, body=body), table, around).read())
        made = _made(found)
        if is_of_goods(columns, made):
            is_recognised = False
            continue
        drafts += made
        rejects += (_reject(one, block, grid, context) for one in found if isinstance(one, Refused))
        rejects += _unread(table, made, grid, context)
    return TableResult(tuple(drafts), tuple(rejects), is_recognised or bool(drafts))


def _made(found: Sequence[Draft | Refused]) -> list[Draft]:
    """The quotes among what was read, but for guesses."""
    return [one for one in found if isinstance(one, Draft) and not is_guess(one)]


def _is_without_prices(sheet: str | None) -> bool:
    return sheet is not None and _SKIPPED_SHEETS.fullmatch(sheet) is not None


def _is_no_dealers(block: Block, columns: Sequence[Column] | None) -> bool:
    """Whether headings or titles are an exchange's, or of a trade that is confirmed."""
    said = (*block.titles, *(column.text for column in columns or ()))
    return any(_EXCHANGES.search(text) for text in said) or any(map(is_confirmation, block.titles))


def _are_unknown_prices(rows: Sequence[Row]) -> bool:
    return _looks_priced(rows) and not _is_of_records(rows[0])


def _is_of_past(columns: Sequence[Column], *, is_announced: bool, is_headed: bool) -> bool:
    """Whether a table is a record or a recap, or of a calendar: no quotes, as markets under them are (spec 2.9)."""
    if is_record(columns) or is_recap(columns):
        return True
    return is_announced and not (is_headed and has_both_sides(columns))


def _is_wrap(table: Table, around: Around) -> bool:
    """Whether a table is of indices and shares, or of what a fund's holdings are worth."""
    is_of_indices = around.found.name != "trs" and is_monitor(table, is_classed=around.found.source != "none")
    return is_of_indices or is_valued(table)


def columns_of(block: Block, inherited: tuple[Column, ...] | None) -> tuple[tuple[Column, ...] | None, bool]:
    """The block's columns, and whether a header named them: its own, that of the page before, or the contents."""
    if block.header is not None:
        return block.header.columns, True
    if inherited is not None:
        return inherited, True
    body = joined(block.body, frozenset(), block.first, block.last)
    return inferred(body, block.first, block.last), False


def _titles(block: Block, previous: Block | None) -> tuple[str, ...]:
    """The block's titles; under the headings of the block above, behind what names that one's class."""
    if (
        previous is None
        or (block.titles and block.first != previous.first)
        or not _repeats(block, previous)
        or any(map(class_by_words, block.titles))
    ):
        return block.titles
    if not block.titles:
        return previous.titles
    return (*filter(class_by_words, previous.titles), *block.titles)


def _repeats(block: Block, previous: Block) -> bool:
    return block.header is not None and previous.header is not None and is_same_header(block.header, previous.header)


def around_of(
    titles: Sequence[str],
    columns: Sequence[Column],
    grid: Grid,
    context: PartContext,
    lines: Sequence[str],
    *,
    named: Sequence[str] = (),
) -> Around:
    """What titles, lines above, names and dealer say of all rows of a table, first of what `named` is its name."""
    near = [line for line in lines[-_NEAR_LINES:] if told(line).is_title] if not grid.sheet else []
    far = [line for line in lines if line not in near]
    mail = context.mail
    names = (("sheet", grid.sheet), ("file", context.file_title), ("subject", mail.subject))
    found = table_class(columns, titles, near, names)
    if found.source == "none":
        found = _class_told(far, mail.note) or found
    heeded = beginning(context, grid.sheet, far)
    for text in (*far, *near, *titles):
        heeded = under(heeded, text)
    symbols = (
        symbol_in(text) for text in (" ".join((*near, *titles)), mail.subject or "", " ".join(of_prices(mail.note)))
    )
    return Around(
        heeded=heeded,
        found=found,
        title=title_of(columns, named, "none", ()) or title_of(columns, (*near, *titles), found.source, names),
        default_class=mail.dealer.asset_class if mail.dealer else None,
        securities=mail.securities,
        language=language("\n".join((*lines, *mail.note))),
        region=desk_of(mail),
        usual=mail.dealer.currency if mail.dealer else None,
        sheet=grid.sheet,
        table_idx=grid.table_idx,
        hidden=grid.hidden,
        symbol=next(filter(None, symbols), None),
    )


def _class_told(far: Sequence[str], note: Sequence[str]) -> Class | None:
    """The class that the lines further above tell, else the mail's covering note."""
    for lines in (far[-_NEAR_LINES:], of_prices(note)[:1]):
        found = table_class((), (), lines, ())
        if found.source != "none":
            return found
    return None


def _is_of_records(head: Row) -> bool:
    """Whether the headings in a first row are those of a statement: `Event | Record date | Pay date`.

    So are identifiers beside other known fields without any level: `ISIN | Nominal | Settle date`.
    """
    columns = [column(at, (cell.text,)) for at, cell in enumerate(head.cells) if cell.text]
    known = [one.role for one in columns if one.role != UNKNOWN]
    is_list = len(known) >= _LEAST_KNOWN and not IDENTIFIERS.isdisjoint(known) and LEVEL not in known
    return is_list or is_record(columns)


def _looks_priced(rows: Sequence[Row]) -> bool:
    """Whether rows without a header look like prices: most have numbers beside a text, or two beside an identifier.

    Three rows that agree could be read (spec 5.2); two of identifiers are prices all the same. Under headings that
    nobody knows only bonds are, curves, what has a bid or an offer, and markets in several columns: calendars,
    forecasts and results have numbers, too.
    """
    sample = rows[:_SAMPLED_ROWS]
    headings = [column(at, (cell.text,)) for at, cell in enumerate(sample[0].cells) if cell.text] if sample else []
    looks = [_look(row) for row in sample]
    is_sided = any(one.side is not None for one in headings)
    if not _are_priced(looks, is_sided=is_sided):
        return False
    is_curve = sum(look.has_tenor for look in looks) >= _MIN_ROWS and headings[0].role == "tenor"
    if is_sided or is_curve or not _is_headed(looks) or any(look.has_identifier for look in looks):
        return True
    return _name_bonds(sample) or columns_of_markets(sample) > 1


def _name_bonds(rows: Sequence[Row]) -> bool:
    return any(names_bond(cell.text) for row in rows for cell in row.cells if cell.text)


def _are_priced(looks: Sequence[_Look], *, is_sided: bool) -> bool:
    """Whether half of the rows look priced, and enough of them: three, two of identifiers, one under bid or offer."""
    priced = sum(look.is_priced for look in looks)
    if priced * 2 < len(looks):
        return False
    return priced >= _MIN_ROWS or sum(look.has_identifier for look in looks) > 1 or (priced > 0 and is_sided)


def _is_headed(looks: Sequence[_Look]) -> bool:
    """Whether above the first row that looks priced there is one of headings."""
    above = takewhile(lambda look: not look.is_priced, looks)
    return any(not look.numbers and look.filled >= _MIN_ROWS for look in above)


def _look(row: Row) -> _Look:
    filled = [cell for cell in row.cells if cell.text]
    numbers = sum(1 for cell in filled if is_numeric(cell) and not _YEAR.fullmatch(cell.text))
    has_identifier = numbers >= 2 and any(is_identifier(cell.text) for cell in filled)
    return _Look(
        filled=len(filled),
        numbers=numbers,
        has_identifier=has_identifier,
        has_tenor=numbers >= 2 and tenor(filled[0].text) is not None,
        is_priced=numbers >= 2 and (len(filled) > numbers or has_identifier) and not _is_figure(filled[0].text),
    )


def _is_figure(name: str) -> bool:
    """Whether a row is named by what its numbers are, no instrument: `Yield | 4.31 | 3.95` of a fund."""
    found = column(0, (name,))
    return found.clear and found.role != UNKNOWN and found.tenor is None


def _reject(refused: Refused, block: Block, grid: Grid, context: PartContext) -> Reject:
    row = refused.row
    where = locator(
        sheet=grid.sheet,
        page=row.page,
        table_idx=grid.table_idx,
        row=block.turned[refused.at] if block.turned is not None else row.number,
        column=row.cells[refused.at].column,
    )
    return refusal(context, refused.code, where=where, text=refused.text)


def _unread(table: Table, made: Sequence[Draft], grid: Grid, context: PartContext) -> Iterator[Reject]:
    """The refusal of columns beside those that were read, at the first row of their table."""
    columns = left_out(table) if made else ()
    if not columns:
        return
    where = locator(
        sheet=grid.sheet, page=made[0].page, table_idx=grid.table_idx, row=made[0].row, column=columns[0].at + 1
    )
    names = ", ".join(f"`{column.text}`" for column in columns)
    told = refusal(context, Code.ROW_AMBIGUOUS_NUMBER, where=where, text=made[0].raw_text)
    yield replace(told, detail=f"the columns {names} were not read: nobody knows all words of their headings")
