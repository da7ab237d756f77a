"""One grid to drafts and rejects."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Grid, Line, Row
from parsers.outcome import Reject
from parsers.quotes.classes import class_by_words
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.notes import noted, of_prices
from parsers.quotes.headings.remarks import has_levels, is_ticker, is_told
from parsers.quotes.headings.roles import IDENTIFIERS, LEVEL, UNKNOWN
from parsers.quotes.headings.surroundings import above, merged
from parsers.quotes.notices import is_confirmation, is_outlook
from parsers.quotes.refusal import locator, refusal
from parsers.quotes.regions import desk_of
from parsers.quotes.tables.above import lines_above
from parsers.quotes.tables.around import Around, Refused
from parsers.quotes.tables.block import Block
from parsers.quotes.tables.classing import may_head, table_class
from parsers.quotes.tables.continuing import last_header
from parsers.quotes.tables.headers import is_identifier, is_numeric
from parsers.quotes.tables.infer import columns_of_markets, inferred, is_guess
from parsers.quotes.tables.moneys import headed
from parsers.quotes.tables.names import terms
from parsers.quotes.tables.plan import left_out
from parsers.quotes.tables.records import has_both_sides, is_monitor, is_of_goods, is_recap, is_record, is_valued
from parsers.quotes.tables.rows import Rows
from parsers.quotes.tables.separators import joined
from parsers.quotes.tables.split import blocks, is_same_header
from parsers.quotes.tables.table import table_of
from parsers.quotes.tables.titles import name_between, title_of
from parsers.values.currencies import symbol_in
from parsers.values.languages import language
from parsers.values.tenors import tenor

_NEAR_LINES = 2
_SAMPLED_ROWS = 200
_LEAST_KNOWN = 3  # headings of a list
_MIN_ROWS = 3  # from which a grid without a header looks like a price table
_SKIPPED_SHEETS = re.compile(
    r"_.*|.*\b(?:cache|blp|bbg|lookups?|vlookup|config|static|auctions?|auktionen|adjudications|subastas|leil[õo]es|aste|"
    r"calendar|kalender|calendrier|calend[aá]rio)\b.*",
    re.IGNORECASE,
)
_EXCHANGES = re.compile(r"\bopen int(?:erest|\.|$)|^ETFs?$", re.IGNORECASE)  # theirs alone: no dealer's prices
_YEAR = re.compile(r"20\d\d[EFP]?")  # over a forecast


class TableResult(Struct, frozen=True):
    """What became of a grid."""

    drafts: tuple[Draft, ...] = ()
    rejects: tuple[Reject, ...] = ()
    recognised: bool = True  # False: it looks like a price table, and nobody knows its columns


def read_grid(grid: Grid, context: PartContext, before: Sequence[Line | Grid]) -> TableResult:
    """The quotes of a grid.

    Args:
        grid: a sheet, or a table of a page, mail or document.
        context: of its part.
        before: the blocks of the part that stand before it: lines are its headings, a grid may have its header.
    """
    lines = list(lines_above(before))
    done = (context.mail.subject or "", context.file_title or "", *lines[-_NEAR_LINES:])
    if (grid.sheet is not None and _SKIPPED_SHEETS.fullmatch(grid.sheet)) or any(map(is_confirmation, done)):
        return TableResult()
    is_announced = any(
        map(is_outlook, done[:2])
    )  # calendars and auctions are no quotes, markets under them are (spec 2.9)
    drafts: list[Draft] = []
    rejects: list[Reject] = []
    is_recognised = True
    inherited = last_header(before, grid)
    between = name_between(before)
    previous: Block | None = None
    for block in blocks(grid.rows):
        columns, is_headed = columns_of(block, inherited)
        said = (*block.titles, *(column.text for column in columns or ()))
        if any(_EXCHANGES.search(text) for text in said) or any(map(is_confirmation, block.titles)):
            continue
        if columns is None:
            is_recognised = is_recognised and not (_looks_priced(block.body) and not _is_of_records(block.body[0]))
            continue
        titles = _titles(block, previous)
        previous = replace(block, titles=titles)
        if is_record(columns) or is_recap(columns) or (is_announced and not (is_headed and has_both_sides(columns))):
            continue
        body = joined(block.body, frozenset(column.at for column in columns), block.first, block.last)
        around = around_of(titles, columns, grid, context, lines, named=(*between, *block.titles))
        table = table_of(columns, body, headed=is_headed)
        is_of_indices = around.found.name != "trs" and is_monitor(table, is_classed=around.found.source != "none")
        if is_of_indices or is_valued(table):
            continue
        found = list(Rows(replace(block, body=body), table, around).read())
        made = [one for one in found if isinstance(one, Draft) and not is_guess(one)]
        if is_of_goods(columns, made):
            is_recognised = False
            continue
        drafts += made
        rejects += (_reject(one, block, grid, context) for one in found if isinstance(one, Refused))
        if made and (unread := left_out(table)):
            rejects.append(_unread(unread, made[0], grid, context))
    return TableResult(tuple(drafts), tuple(rejects), is_recognised or bool(drafts))


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
    near = [line for line in lines[-_NEAR_LINES:] if may_head(line)] if not grid.sheet else []
    far = [line for line in lines if line not in near]
    titles = [title for title in titles if not ((is_told(title) or has_levels(title)) and class_by_words(title))]
    mail = context.mail
    names = (("sheet", grid.sheet), ("file", context.file_title), ("subject", mail.subject))
    found = table_class(columns, titles, near, names)
    if found.source == "none" and far:
        found = table_class((), (), [line for line in far[-_NEAR_LINES:] if not is_ticker(line)], ())
    if found.source == "none" and mail.note:
        found = table_class((), (), of_prices(mail.note)[:1], ())
    said = merged(
        (above((*near, *titles), far, grid.sheet, context.file_name, mail.subject), noted((*far, *mail.note)))
    )
    if said.currency is None:
        said = replace(said, currency=headed(far, found.name))
    return Around(
        said=said,
        found=found,
        title=title_of(columns, named, "none", ()) or title_of(columns, (*near, *titles), found.source, names),
        default_class=mail.dealer.asset_class if mail.dealer else None,
        language=language("\n".join((*lines, *mail.note))),
        region=desk_of(mail),
        sheet=grid.sheet,
        table_idx=grid.table_idx,
        hidden=grid.hidden,
        symbol=symbol_in(" ".join((*near, *titles)))
        or symbol_in(mail.subject or "")
        or symbol_in(" ".join(of_prices(mail.note))),
    )


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
    priced = identified = tenors = 0
    named = is_headed = False
    sample = rows[:_SAMPLED_ROWS]
    headings = [column(at, (cell.text,)) for at, cell in enumerate(sample[0].cells) if cell.text] if sample else []
    for row in sample:
        filled = [cell for cell in row.cells if cell.text]
        numbers = sum(1 for cell in filled if is_numeric(cell) and not _YEAR.fullmatch(cell.text))
        has_identifier = numbers >= 2 and any(is_identifier(cell.text) for cell in filled)
        priced += numbers >= 2 and (len(filled) > numbers or has_identifier) and not _is_figure(filled[0].text)
        identified += has_identifier
        tenors += numbers >= 2 and tenor(filled[0].text) is not None
        named = named or has_identifier or any(terms(cell.text).coupon is not None for cell in filled)
        is_headed = is_headed or (not priced and not numbers and len(filled) >= _MIN_ROWS)
    is_curve = tenors >= _MIN_ROWS and headings[0].role == "tenor"
    is_sided = any(one.side is not None for one in headings)
    is_sure = named or not is_headed or is_curve or is_sided or columns_of_markets(sample) > 1
    return (
        (priced >= _MIN_ROWS or identified > 1 or (priced > 0 and is_sided)) and priced * 2 >= len(sample) and is_sure
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


def _unread(columns: Sequence[Column], first: Draft, grid: Grid, context: PartContext) -> Reject:
    """The refusal of columns beside those that were read, at the first row of their table."""
    where = locator(
        sheet=grid.sheet, page=first.page, table_idx=grid.table_idx, row=first.row, column=columns[0].at + 1
    )
    names = ", ".join(f"`{column.text}`" for column in columns)
    told = refusal(context, Code.ROW_AMBIGUOUS_NUMBER, where=where, text=first.raw_text)
    return replace(told, detail=f"the columns {names} were not read: nobody knows all words of their headings")
