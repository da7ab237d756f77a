"""From the rows of one table to drafts (spec 5.5, 5.6, 5.8 to 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from parsers.codes import Code, Firmness, Flag, QuoteKind, QuoteType
from parsers.document import Cell, Row
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.quotes.tables.cells import Nothing, plain
from parsers.quotes.tables.classing import Class, row_class
from parsers.quotes.tables.fields import instrument, nameless
from parsers.quotes.tables.headings import heading
from parsers.quotes.tables.levels import Read, RowWords, levels, read
from parsers.quotes.tables.plan import Plan, Table, plan_of
from parsers.quotes.tables.row_words import Dates, Mark, dates_of, mark_of
from parsers.quotes.tables.sections import Section, is_legend, is_total, section_text
from parsers.quotes.tables.sizes import size_of, sizes_of
from parsers.quotes.tables.split import Block
from parsers.quotes.tables.stacked import units
from parsers.quotes.tables.surroundings import Surroundings, merged
from parsers.values.benchmarks import bond

RESETTING_BLANKS = 2
"""Blank rows that end a section (spec 5.6)."""

_REFUSALS = {
    Nothing.absent: Code.ROW_NO_PRICE,
    Nothing.withdrawn: Code.ROW_WITHDRAWN,
    Nothing.unreadable: Code.ROW_AMBIGUOUS_NUMBER,
}
_HELD = ("isin", "cusip", "identifier", "red_code", "wkn", "description", "issuer", "ticker", "tranche", "coupon",
         "maturity", "currency", "rating", "seniority", "sector", "tenor")  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What holds for all rows of a block."""

    said: Surroundings
    found: Class  # that the words around it name
    title: str | None = None  # names the instrument where no column does
    default_class: str | None = None  # of the sender
    region: str | None = None  # of the sender's desk
    sheet: str | None = None
    table_idx: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was meant as a quote and is none."""

    code: Code
    row: Row
    text: str


class Rows:
    """Reads the rows of one table in order, remembering the sections and merges above."""

    def __init__(self, block: Block, table: Table, around: Around) -> None:
        self._block, self._table, self._around = block, table, around
        self._levels_at = [column.at for column in table.columns if column.is_level or column.role == "rate"]
        self._held_at = [index for role in _HELD for index in table.fields.at.get(role, ())]
        self._held: dict[int, Cell] = {}
        self._dates: Dates = dates_of(table, around.region)
        self._plans: dict[tuple[str, str | None, bool], Plan] = {}
        self._blanks = 0
        self._enter(Section())

    def read(self) -> Iterator[Draft | Refused]:
        """The quotes and the refused rows."""
        for row, below in units(self._block.body, self._table.fields):
            own = row.cells[self._block.first : self._block.last]
            if not self._is_priced(row) and not (below is not None and self._is_priced(below)):
                yield from self._unpriced(row, own)
                continue
            self._blanks = 0
            cells, is_filled_down = self._filled_down(row)
            if is_total(own) and not self._table.fields.identifiers(cells):
                continue
            yield from self._drafts(row, cells, below, is_filled_down=is_filled_down)

    def _enter(self, section: Section) -> None:
        self._section = section
        self._said = merged((section.said, self._around.said))
        self._plans.clear()

    def _is_priced(self, row: Row) -> bool:
        return any(row.cells[at].text for at in self._levels_at)

    def _unpriced(self, row: Row, own: Sequence[Cell]) -> Iterator[Refused]:
        """A row whose level cells are all empty: blank, a section, a note, or an instrument without a price."""
        filled = [cell for cell in own if cell.text]
        if not filled:
            self._blanks += 1
            if self._blanks == RESETTING_BLANKS:
                self._enter(Section())
            return
        self._blanks = 0
        cells, _ = self._filled_down(row)
        if is_total(own) or is_legend(filled[0].text):
            return
        if not self._table.fields.identifiers(row.cells):
            text = section_text(filled, len(self._table.columns))
            if text is not None:
                self._enter(self._section.under(text))
                return
            if len(filled) < 3:
                return
        struck = all(cell.struck for cell in filled)
        yield Refused(Code.ROW_WITHDRAWN if struck else Code.ROW_NO_PRICE, row, _text(cells))

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

    def _drafts(
        self, row: Row, cells: Sequence[Cell], below: Row | None, *, is_filled_down: bool
    ) -> Iterator[Draft | Refused]:
        fields, said = self._table.fields, self._said
        identifiers = fields.identifiers(cells)
        name = self._name(cells, is_identified=bool(identifiers))
        known = row_class(self._section.found, self._around.found, identifiers, name, self._around.default_class)
        found = instrument(
            fields,
            cells,
            locale=self._table.locale,
            order=self._dates.order,
            identifiers=identifiers,
            name=name,
            stated=said.currency,
        )
        plan = self._plan(known.name, found.currency, name)
        found = _with_face(found, plan, cells)
        mark = mark_of(self._table.columns, fields, cells)
        words = self._words(cells, mark, found)
        reads: dict[tuple[str | None, str | None], list[Read]] = {}
        worst = Nothing.absent
        for planned in plan.levels:
            one = read(planned, cells, below.cells if below is not None else None, words.kind)
            if isinstance(one, Nothing):
                worst = max(worst, one, key=lambda nothing: nothing.value)
                continue
            lead = planned.slot.lead
            reads.setdefault((None if self._table.is_named else lead.title, lead.month), []).append(one)
        own = row.cells[self._block.first : self._block.last]
        text = _text((*own, *below.cells[self._block.first : self._block.last]) if below is not None else own)
        if not reads:
            yield Refused(_REFUSALS[worst], row, text)
            return
        for (title, month), some in reads.items():
            drafted = levels(some, cells, words, self._block.turned)
            named = _named(found, title, month, some[0].planned.slot.lead.currency)
            draft = self._draft(drafted, named, known, plan, cells, mark=mark)
            flags = {Flag.merged_fill} if is_filled_down else set()
            if row.hidden or self._around.hidden or any(cells[item.at].hidden for item in some):
                flags.add(Flag.hidden_source)
            yield replace(
                draft,
                raw_text=text,
                page=row.page,
                row=row.number,
                settle_text=draft.settle_text or month,
                flags=frozenset(flags),
            )

    def _name(self, cells: Sequence[Cell], *, is_identified: bool) -> str | None:
        """The row's instrument text; under a section that names the issuer, or a title that names the curve."""
        name = self._table.fields.name(cells)
        if not self._table.is_named:
            coupon = " ".join(cells[index].text for index in self._table.fields.at.get("coupon", ()))
            return " ".join(filter(None, (self._section.name or self._around.title, coupon))) or None
        if not is_identified and nameless(name) and self._section.name is not None:
            return " ".join(filter(None, (self._section.name, name)))
        return name

    def _plan(self, class_name: str, currency: str | None, name: str | None) -> Plan:
        pattern = rules_of(class_name).on_price
        on_price = pattern is not None and name is not None and pattern.search(name) is not None
        key = (class_name, currency, on_price)
        if key not in self._plans:
            self._plans[key] = plan_of(self._table, class_name, self._said, currency, on_price=on_price)
        return self._plans[key]

    def _words(self, cells: Sequence[Cell], mark: Mark, found: Instrument) -> RowWords:
        fields, locale = self._table.fields, self._table.locale
        side = mark.side if mark.side in {"bid", "ask", "mid"} else self._said.side
        if side is None and self._said.axe in {"bid", "ask"}:
            side = self._said.axe

        def value(role: str) -> Fraction | None:
            return next((plain(cells[at], locale) for at in fields.at.get(role, ()) if cells[at].text), None)

        return RowWords(
            side=side,
            kind=self._said.kind,
            tenor=found.tenor or self._said.tenor,
            option_struct=_struct(fields.text("option_struct", cells)) or self._said.option_struct,
            benchmark=_bond(fields.text("benchmark", cells)),
            ref_price=value("ref_price"),
            delta=value("delta"),
            running=value("running"),
        )

    def _draft(
        self,
        drafted: tuple[Level, ...],
        named: Instrument,
        known: Class,
        plan: Plan,
        cells: Sequence[Cell],
        *,
        mark: Mark,
    ) -> Draft:
        said, around = self._said, self._around
        axe_bid, axe_ask, drafted = _axed(drafted, mark, said.axe)
        par = plain(cells[plan.unit_par], self._table.locale) if plan.unit_par is not None else said.unit_par
        is_unit = any(level.quote_type is QuoteType.price_unit for level in drafted)
        return Draft(
            instrument=named,
            levels=drafted,
            sizes=sizes_of(plan.sizes, cells, drafted, said.kind),
            asset_class=known.name,
            class_source=known.source,
            firmness=said.firmness or Firmness.unknown,
            is_axe_bid=axe_bid,
            is_axe_ask=axe_ask,
            is_flat=said.flat or rules_of(known.name).flat,
            unit_par=par if is_unit else None,
            settle_text=self._table.fields.text("settle", cells) or said.settle,
            headed=self._table.headed,
            table_idx=around.table_idx,
            sheet=around.sheet,
        )


def _bond(text: str | None) -> str | None:
    return (bond(text) or text.upper()) if text else None


def _with_face(found: Instrument, plan: Plan, cells: Sequence[Cell]) -> Instrument:
    """With the original face that the row prints."""
    if plan.orig_face is None:
        return found
    column, rules = plan.orig_face
    face = size_of(cells[column.at], rules)
    return replace(found, orig_face=face.value) if face is not None else found


def _struct(text: str | None) -> str | None:
    return heading(text).one("option_struct") if text else None


def _text(cells: Sequence[Cell]) -> str:
    return "\t".join(cell.text for cell in cells)


def _named(found: Instrument, title: str | None, month: str | None, currency: str | None) -> Instrument:
    """The instrument of a column: of a curve in its own columns, of a month's delivery."""
    if title is None and month is None:
        return found
    description = " ".join(filter(None, (title or found.description, month.capitalize() if month else None)))
    return replace(found, description=description, currency=currency or found.currency)


def _axed(drafted: tuple[Level, ...], mark: Mark, axe: str | None) -> tuple[bool, bool, tuple[Level, ...]]:
    """Whether bid and ask are axed; a one-sided interest without a market is of the kind axe (ruling 3)."""
    has_bid = any(level.bid is not None for level in drafted)
    has_ask = any(level.ask is not None for level in drafted)
    is_one_sided = has_bid != has_ask
    if not mark.is_axe and axe is None:
        return False, False, drafted
    if mark.is_axe:
        bid = mark.side in {"bid", "both"} or (mark.side is None and has_bid)
        ask = mark.side in {"ask", "both"} or (mark.side is None and has_ask)
    elif is_one_sided:
        bid, ask = has_bid, has_ask
    else:
        bid, ask = axe == "bid", axe == "ask"
    if is_one_sided and (bid or ask):
        drafted = tuple(
            replace(level, quote_kind=QuoteKind.axe) if level.quote_kind is QuoteKind.market else level
            for level in drafted
        )
    return bid, ask, drafted
