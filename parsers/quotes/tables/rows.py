"""The rows of one table in order: sections, blanks, totals, merges, and what is left to draft (spec 5.5, 5.6, 5.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Row
from parsers.quotes.draft import Draft
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import NAMES, OF_BONDS
from parsers.quotes.tables.around.around import Around, Refused, Unit
from parsers.quotes.tables.around.sections import (
    Section,
    is_aside,
    is_example,
    is_legend,
    is_total,
    section_class,
    section_text,
)
from parsers.quotes.tables.columns.fields import Texts
from parsers.quotes.tables.columns.stacked import units
from parsers.quotes.tables.columns.table import SAMPLED_ROWS, Table
from parsers.quotes.tables.drafting import Drafter, text_of
from parsers.quotes.tables.grids.block import Block
from parsers.quotes.tables.plans.row_words import dates_of
from parsers.values.times.dates import is_date

RESETTING_BLANKS = 2
"""Blank rows that end a section (spec 5.6)."""

_HELD = ("isin", "cusip", "identifier", "red_code", "wkn", "description", "issuer", "ticker", "tranche", "coupon",
         "maturity", "currency", "rating", "seniority", "sector", "tenor")  # fmt: skip


class Rows:
    """Reads the rows of one table in order, remembering the sections and merges above."""

    def __init__(self, block: Block, table: Table, around: Around) -> None:
        self._block, self._table, self._around = block, table, around
        self._levels_at = [column.at for column in table.columns if column.is_level or column.role == "rate"]
        self._held_at = [index for role in _HELD for index in table.fields.at.get(role, ())]
        self._held: dict[int, Cell] = {}
        self._dates = dates_of(table)
        self._blanks = 0
        self._next = 0  # row, by its index
        self._enter(Section(heeded=self._around.heeded))

    def read(self) -> Iterator[Draft | Refused]:
        """The quotes and the refused rows."""
        for row, below in units(self._block.body, self._table.fields):
            self._next += 1 if below is None else 2
            own = row.cells[self._block.first : self._block.last]
            if not self._is_priced(row) and not (below is not None and self._is_priced(below)):
                yield from self._unpriced(row, own)
                continue
            self._blanks = 0
            cells, is_filled_down = self._filled_down(row)
            texts = self._table.fields.texts(cells)
            if self._is_no_quote(own, cells, texts):
                continue
            if "tenor" in texts and is_aside(texts["tenor"][0]):
                if self._table.fields.name(texts) or self._table.fields.identifiers(cells):  # no point of a curve
                    yield Refused(Code.ROW_AMBIGUOUS_NUMBER, row, self._levels_at[0], text_of(own))
                continue
            unit = Unit(row, cells, texts, below.cells if below is not None else None, is_filled_down)
            yield from self._drafter.drafts(unit)

    def _is_no_quote(self, own: Sequence[Cell], cells: Sequence[Cell], texts: Texts) -> bool:
        """Whether figures are a total, or show only how a row is printed."""
        if is_total(own) and not (_is_of_company(texts) or self._table.fields.identifiers(cells)):
            return True
        return is_example(next((cell.text for cell in own if cell.text), ""))

    def _enter(self, section: Section, sample: tuple[Row, ...] = ()) -> None:
        """The rows of a section, its values judged by `sample` where it has rows of its own."""
        self._section = section
        table = replace(self._table, sample=sample) if sample else self._table
        self._drafter = Drafter(self._block, table, self._around, section, self._dates)

    def _own(self, text: str) -> tuple[Row, ...]:
        """The first rows below a section of a class or measure, until the next: `172 | 168` above others' prices."""
        found: list[Row] = []
        if not _is_of_one(text):
            return ()
        for row in self._block.body[self._next :]:
            if self._is_priced(row):
                found.append(row)
            elif _is_of_one(self._text(row) or ""):
                break
            if len(found) == SAMPLED_ROWS:
                break
        return tuple(found)

    def _text(self, row: Row) -> str | None:
        """Of a row without levels, where it is a section."""
        filled = [cell for cell in row.cells[self._block.first : self._block.last] if cell.text]
        is_bond = not filled or self._table.fields.identifiers(row.cells)
        return None if is_bond else section_text(filled, len(self._table.columns))

    def _is_priced(self, row: Row) -> bool:
        return any(row.cells[at].text for at in self._levels_at)

    def _unpriced(self, row: Row, own: Sequence[Cell]) -> Iterator[Refused]:
        """A row whose level cells are all empty: blank, a section, a note, or an instrument without a price."""
        filled = [cell for cell in own if cell.text]
        if not filled:
            self._blanks += 1
            if self._blanks == RESETTING_BLANKS:
                self._enter(Section(heeded=self._around.heeded))
            return
        self._blanks = 0
        cells, _ = self._filled_down(row)
        if is_total(own) or is_legend(filled[0].text):
            return
        text = self._text(row)
        if text is not None:
            self._enter(self._section.under(text), self._own(text))
            return
        if len(filled) < 3 and not self._table.fields.identifiers(row.cells):
            return
        struck = all(cell.struck for cell in filled)
        at = next(iter(self._levels_at), self._block.first)
        yield Refused(Code.ROW_WITHDRAWN if struck else Code.ROW_NO_PRICE, row, at, text_of(cells))

    def _filled_down(self, row: Row) -> tuple[Sequence[Cell], bool]:
        """The row's cells, those covered by a vertical merge filled from above; identity fields only (spec 5.5)."""
        cells: list[Cell] | None = None
        for index in self._held_at:
            cell = row.cells[index]
            if cell.text:
                self._held[index] = cell
            elif cell.origin is not None and cell.origin[0] < row.number and index in self._held:
                cells = cells or list(row.cells)
                cells[index] = self._held[index]
        return (cells, True) if cells is not None else (row.cells, False)


def _is_of_company(texts: Texts) -> bool:
    """Whether a row named `TOTAL` has the coupon and maturity of a bond: those of averages are no company's."""
    names = [text for role in NAMES & texts.keys() for text in texts[role]]
    due = texts.get("maturity", ["."])[0]
    return texts.keys() >= OF_BONDS and names[:1] in (["TOTAL"], ["Total"]) and (is_date(due) or "." not in due)


def _is_of_one(text: str) -> bool:
    """Whether a section names what its rows are: `HIGH YIELD`, `PRICES`."""
    return section_class(text) is not None or "measure" in heading(text).meanings
