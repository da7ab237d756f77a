"""From a row understood to its drafts: levels, sizes, marks, and what is doubtful (spec section 2, rulings 2, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from parsers.codes import Code, Firmness, Flag
from parsers.document import Cell
from parsers.quotes.answers.dating import Dates
from parsers.quotes.answers.rows import Row, drafted
from parsers.quotes.draft import Draft, Level
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import UNKNOWN
from parsers.quotes.tables.around.around import Around, Refused, Unit
from parsers.quotes.tables.around.sections import Section
from parsers.quotes.tables.cells.cells import SUBJECT, Nothing, plain
from parsers.quotes.tables.cells.clocks import clock_of
from parsers.quotes.tables.cells.sizes import sizes_of
from parsers.quotes.tables.columns.fields import first
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.grids.block import Block
from parsers.quotes.tables.plans.instruments import (
    titled_instrument,
)
from parsers.quotes.tables.plans.levels import levels
from parsers.quotes.tables.plans.slot_readings import Read, parted, read
from parsers.quotes.tables.plans.understanding import Understanding, Understood
from parsers.values.numbers import is_null

_HOLDS_FIGURES = re.compile(r"\d").search
_SUBJECT_ENDS = frozenset("bBjJtT")
_REFUSALS = {
    Nothing.absent: Code.ROW_NO_PRICE,
    Nothing.withdrawn: Code.ROW_WITHDRAWN,
    Nothing.unreadable: Code.ROW_AMBIGUOUS_NUMBER,
}


_Reads = dict[tuple[str | None, str | None], list[Read]]  # by programme and month: each is an instrument of the row


class Drafter:
    """Makes the drafts of the rows under one section."""

    def __init__(self, block: Block, table: Table, around: Around, section: Section, dates: Dates) -> None:
        self._block, self._table, self._around = block, table, around
        self._said = section.said
        self._heads = heads_of(table.columns)
        self._unheaded = _is_unheaded(table)
        self._leaves_figures = _leaves_figures(table, block)
        self._understanding = Understanding(table, around, section, dates)

    def drafts(self, unit: Unit) -> Iterator[Draft | Refused]:
        """The drafts of a row, one an instrument, or why there is none."""
        row = self._understanding.of(unit)
        if row is None:
            return
        reads, missed = self._reads(row, unit)
        if reads:
            flags = self._flags(unit)
            for (title, month), some in reads.items():
                money, coupon = some[0].planned.slot.lead.currency, first(unit.texts, "coupon")
                named = titled_instrument(row.instrument, title, month, money, coupon)
                is_unseen = any(unit.cells[item.at].hidden for item in some)
                own = flags | {Flag.hidden_source} if is_unseen else flags
                stated = levels(some, unit.cells, row.words, self._block.turned)
                draft = self._draft(replace(row, instrument=named), stated, unit, month, own)
                yield replace(draft, firmness=Firmness.subject) if _is_subject(some, unit.cells) else draft
        else:
            nothing, at = max(missed, key=lambda miss: miss[0].value, default=(Nothing.absent, self._block.first))
            yield Refused(_REFUSALS[nothing], unit.row, at, self._text(unit))

    def _reads(self, row: Understood, unit: Unit) -> tuple[_Reads, list[tuple[Nothing, int]]]:
        """What the slots hold, and where they hold nothing."""
        reads: _Reads = {}
        missed: list[tuple[Nothing, int]] = []
        for planned in row.plan.levels:
            lead = planned.slot.lead
            one = read(planned, unit.cells, unit.below, row.words.kind)
            if isinstance(one, Nothing):
                missed.append((one, lead.at))
            else:
                programme = None if self._table.is_named else lead.title
                reads.setdefault((programme, lead.month), []).extend(parted(one, unit.cells))
        return reads, missed

    def _flags(self, unit: Unit) -> frozenset[Flag]:
        """The doubts about all that stands in a row."""
        is_uncached = any(cell.formula_no_cache for cell in self._own(unit) if not cell.text)
        doubts = (
            (Flag.merged_fill, unit.is_filled_down),
            (Flag.formula_no_cache, is_uncached),
            (Flag.hidden_source, unit.row.hidden or self._around.hidden),
        )
        return frozenset(flag for flag, applies in doubts if applies)

    def _own(self, unit: Unit) -> Sequence[Cell]:
        return unit.row.cells[self._block.first : self._block.last]

    def _text(self, unit: Unit) -> str:
        lower = unit.below[self._block.first : self._block.last] if unit.below is not None else ()
        return text_of((*self._own(unit), *lower))

    def _draft(
        self, row: Understood, found: tuple[Level, ...], unit: Unit, month: str | None, flags: frozenset[Flag]
    ) -> Draft:
        table, cells, plan = self._table, unit.cells, row.plan
        own = Row(
            instrument=row.instrument,
            asset_class=row.known.name,
            class_source=row.known.source,
            told=row.told,
            heads=self._heads,
            levels=found,
            said=replace(self._said, kind=row.words.kind),
            sizes=sizes_of(plan.sizes, cells, unit.below),
            axe=row.mark.axe,
            unit_par=plain(cells[plan.unit_par], table.locale) if plan.unit_par is not None else None,
            settle=first(unit.texts, "settle") or self._said.settle or month,
            printed=clock_of(table.clocks, cells) if table.clocks else None,
            language=table.language or self._around.language,
            headed=table.headed,
            flags=flags,
        )
        return replace(
            drafted(own),
            unheaded=self._unheaded,
            leaves_figures=self._leaves_figures,
            raw_text=self._text(unit),
            page=unit.row.page,
            table_idx=self._around.table_idx,
            row=unit.row.number,
            sheet=self._around.sheet,
        )


def _is_subject(reads: Sequence[Read], cells: Sequence[Cell]) -> bool:
    """`98.5 sub`, `98/99 subj`: behind a number it is subject (spec 2.2)."""
    texts = [cells[column.at].text for item in reads for column in item.planned.slot.columns]
    return any(text[-1:] in _SUBJECT_ENDS and SUBJECT.search(text) is not None for text in texts)


def heads_of(columns: Sequence[Column]) -> tuple[str, ...]:
    """What the columns hold: the roles of their headings, and what those say that levels measure."""
    said = {name for column in columns for name in (column.role, column.measure, column.mark) if name}
    return tuple(sorted(said))


def _is_unheaded(table: Table) -> bool:
    """Whether no heading says what a column is that is read; or one that nobody knows: `Mon | Tue` over two prices."""
    if table.headed:
        return any(column.unheaded for column in table.columns)
    texts = [table.sample[0].cells[column.at].text for column in table.columns if column.is_level]
    return any(text[0].isalpha() and not is_null(text) for text in texts if text)


def _leaves_figures(table: Table, block: Block) -> bool:
    """Whether a column without a heading that is nothing, or with one that nobody knows, holds figures."""
    headed = block.header.columns if block.header is not None else ()
    doubted = {one.at for one in headed if one.role == UNKNOWN}
    read = {one.at for one in table.columns if one.role != UNKNOWN and not (one.is_level and one.at in doubted)}
    unread = set(range(block.first, block.last)) - read
    return any(_HOLDS_FIGURES(row.cells[at].text) for row in table.sample for at in unread)


def text_of(cells: Sequence[Cell]) -> str:
    """A row's text: its cells joined by TAB."""
    return "\t".join([cell.text for cell in cells])
