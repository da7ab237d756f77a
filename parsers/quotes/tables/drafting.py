"""From a priced row to its drafts: instrument, class, levels, sizes, marks (spec section 2, rulings 2, 3, 11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code, Firmness, Flag, QuoteKind, QuoteType
from parsers.document import Cell, Row
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.quotes.headings.monies import bracketed, currency
from parsers.quotes.headings.phrases import option_struct
from parsers.quotes.headings.surroundings import Surroundings, merged
from parsers.quotes.tables.cells import Nothing, plain
from parsers.quotes.tables.classing import Class, default_class, row_class
from parsers.quotes.tables.clocks import clock_of
from parsers.quotes.tables.fields import instrument, nameless
from parsers.quotes.tables.instruments import dollars_of, planned_instrument, titled_instrument, with_tenor
from parsers.quotes.tables.levels import Read, RowWords, levels, parted, read
from parsers.quotes.tables.names import tenor_in
from parsers.quotes.tables.outcomes import is_traded
from parsers.quotes.tables.plan import Plan, plan_of
from parsers.quotes.tables.row_measures import named_measure, stated_in_row
from parsers.quotes.tables.row_words import Dates, Mark, axed, mark_of
from parsers.quotes.tables.sections import Section, is_market_talk
from parsers.quotes.tables.sizes import currency_of, money_of, sizes_of
from parsers.quotes.tables.split import Block
from parsers.quotes.tables.stating import UNQUOTED
from parsers.quotes.tables.table import Table
from parsers.values.benchmarks import bond
from parsers.values.currencies import of_symbol
from parsers.values.dates import DateOrder
from parsers.values.markets import PRICES

_DELTA = re.compile(r"\d\d\s?d", re.IGNORECASE)
"""`25d RR`: a delta, no days."""
_REFUSALS = {
    Nothing.absent: Code.ROW_NO_PRICE,
    Nothing.withdrawn: Code.ROW_WITHDRAWN,
    Nothing.unreadable: Code.ROW_AMBIGUOUS_NUMBER,
}


class Around(Struct, frozen=True, kw_only=True):
    """What holds for all rows of a block."""

    said: Surroundings
    found: Class  # that the words around it name
    title: str | None = None  # names the instrument where no column does
    default_class: str | None = None  # of the sender
    region: str | None = None  # of the sender's desk
    sheet: str | None = None
    table_idx: int | None = None
    hidden: bool = False
    symbol: str | None = None  # of the currency in a title: `$ per share`


class Refused(Struct, frozen=True):
    """A row that was meant as a quote and is none."""

    code: Code
    row: Row
    at: int  # index of the cell that tells
    text: str


class Drafter:
    """Makes the drafts of the rows under one section."""

    def __init__(self, block: Block, table: Table, around: Around, section: Section, dates: Dates) -> None:
        self._block, self._table, self._around, self._section, self._dates = block, table, around, section, dates
        self._said = merged((section.said, around.said))
        self._default = default_class(table.columns, around.default_class)
        self._plans: dict[tuple[object, ...], Plan] = {}

    def drafts(
        self, row: Row, cells: Sequence[Cell], below: Row | None, *, is_filled_down: bool
    ) -> Iterator[Draft | Refused]:
        """The drafts of a row, one an instrument, or why there is none.

        Args:
            row: the row.
            cells: its cells, identity fields filled down.
            below: the ask row of a stacked pair.
            is_filled_down: some field came from the row above.
        """
        fields, said = self._table.fields, self._said
        identifiers = fields.identifiers(cells)
        name = self._name(cells, is_identified=bool(identifiers))
        if name is not None and not identifiers and is_market_talk(name):
            return
        known = row_class(self._section.found, self._around.found, identifiers, name, self._default)
        found = instrument(
            fields,
            cells,
            locale=self._table.locale,
            order=self._order(known.name, identifiers),
            is_order_told=self._dates.is_told,
            identifiers=identifiers,
            name=name,
            stated=(bracketed(name) if name else None)
            or said.currency
            or self._headed_currency(known.name)
            or (currency(_unticked(name), near=True) if name else None),
        )
        stated = stated_in_row(self._table, cells) or named_measure(self._table, known.name, name, cells)
        if stated == UNQUOTED:
            return
        plan = self._plan(known.name, found.currency or dollars_of(identifiers), name, stated)
        found = planned_instrument(found, plan, cells, self._table.locale)
        found = self._with_money(found, plan, cells, known.name)
        found = with_tenor(found, self._table.columns, known.name)
        mark = mark_of(self._table.columns, fields, cells)
        words = self._words(cells, mark, found, name)
        reads: dict[tuple[str | None, str | None], list[Read]] = {}
        missed: list[tuple[Nothing, int]] = []
        for planned in plan.levels:
            one = read(planned, cells, below.cells if below is not None else None, words.kind)
            if isinstance(one, Nothing):
                missed.append((one, planned.slot.lead.at))
                continue
            lead = planned.slot.lead
            reads.setdefault((None if self._table.is_named else lead.title, lead.month), []).extend(parted(one, cells))
        own = row.cells[self._block.first : self._block.last]
        text = text_of((*own, *below.cells[self._block.first : self._block.last]) if below is not None else own)
        if not reads:
            nothing, at = max(missed, key=lambda miss: miss[0].value, default=(Nothing.absent, self._block.first))
            yield Refused(_REFUSALS[nothing], row, at, text)
            return
        for (title, month), some in reads.items():
            drafted = levels(some, cells, words, self._block.turned)
            lead = some[0].planned.slot.lead
            named = titled_instrument(found, title, month, lead.currency, fields.text("coupon", cells))
            draft = self._draft(drafted, named, known, plan, cells, mark=mark, below=below)
            flags = {Flag.merged_fill} if is_filled_down else set()
            if row.hidden or self._around.hidden or any(cells[item.at].hidden for item in some):
                flags.add(Flag.hidden_source)
            if any(cell.formula_no_cache for cell in own):
                flags.add(Flag.formula_no_cache)
            yield replace(
                draft,
                raw_text=text,
                page=row.page,
                row=row.number,
                settle_text=draft.settle_text or month,
                flags=frozenset(flags),
            )

    def _with_money(self, found: Instrument, plan: Plan, cells: Sequence[Cell], class_name: str) -> Instrument:
        """The instrument in the currency whose symbol stands at its size or price, if no word says another."""
        if found.currency is not None:
            return found
        prices = [one.slot.lead for one in plan.levels if one.quote_type in PRICES]
        money = currency_of(plan.sizes, cells) or money_of(prices, cells)
        return replace(found, currency=self._dollar(class_name) if money == "$" else of_symbol(money or "") or money)

    def _name(self, cells: Sequence[Cell], *, is_identified: bool) -> str | None:
        """The row's instrument text; under a section that names the issuer, or a title that names the curve."""
        name = self._table.fields.name(cells)
        if not self._table.is_named:
            coupon = " ".join(cells[index].text for index in self._table.fields.at.get("coupon", ()))
            own = coupon if coupon[:1].isalpha() else self._table.fields.text("option_struct", cells)
            if own and (
                own == coupon or (tenor_in(own) is not None and _DELTA.match(own) is None)
            ):  # `FNCL 5.0` as a coupon, `1y10y ATM` as a structure
                return own
            return " ".join(filter(None, (self._section.name or self._around.title, coupon))) or None
        if not is_identified and nameless(name) and self._section.name is not None:
            return " ".join((self._section.name, *([name] if name else self._table.fields.terms(cells))))
        return name

    def _headed_currency(self, class_name: str) -> str | None:
        """The currency in the table's headings, or by its symbol above; a lone `$` is the class's own dollar."""
        money = self._table.currency or self._around.symbol
        return self._dollar(class_name) if money == "$" else of_symbol(money or "") or money

    def _dollar(self, class_name: str) -> str:
        """What a lone `$` is: Canada's own in its blocks (spec 2.1)."""
        is_over_canadas = any(column.benchmark == "CAN" for column in self._table.columns)
        is_canadian = is_over_canadas or rules_of(class_name).currency == "CAD" or self._around.region == "canada"
        return "CAD" if is_canadian else "USD"

    def _order(self, class_name: str, identifiers: Iterable[tuple[str, str]]) -> Callable[[str | None], DateOrder]:
        """How the row's dates are ordered, given its currency; where none is printed, its market's."""
        numbers = dict(identifiers)
        market = rules_of(class_name).currency or ("USD" if "cusip" in numbers else None)
        if market is None and numbers.get("isin", "")[:2] in {"US", "CA"}:
            market = "USD"
        return lambda printed: self._dates.order(printed or market)

    def _plan(self, class_name: str, money: str | None, name: str | None, stated: str | None) -> Plan:
        rules = rules_of(class_name)
        is_future = rules.futures is not None and name is not None and rules.futures.match(name) is not None
        if rules.ticks == "usd" and money is None and name is not None:
            money = rules.market_of(name)  # `TII 1 3/8 07/33` is in 32nds whatever its table prints
        key = (class_name, money, is_future, stated)
        if key not in self._plans:
            instrument = name or "" if is_future else ""
            self._plans[key] = plan_of(
                self._table,
                class_name,
                self._said,
                money,
                stated=stated,
                instrument=instrument,
            )
        return self._plans[key]

    def _words(self, cells: Sequence[Cell], mark: Mark, found: Instrument, name: str | None) -> RowWords:
        fields, locale = self._table.fields, self._table.locale
        side = mark.side if mark.side in {"bid", "ask", "mid"} else self._said.side
        if side is None and self._said.axe in {"bid", "ask"}:
            side = self._said.axe

        def value(role: str) -> Fraction | None:
            if role not in fields.at:
                return None
            ceiling = None if role == "ref_price" else 1000
            places = (at for at in fields.at[role] if cells[at].text)
            texts = (replace(cells[at], text=cells[at].text.lstrip("@ ")) for at in places)  # `@ 31.20`: of the stock
            return next((plain(cell, locale, ceiling=ceiling) for cell in texts), None)

        return RowWords(
            side=side,
            kind=QuoteKind.trade if is_traded(cells, self._table.outcome) else self._said.kind,
            tenor=found.tenor or self._said.tenor,
            option_struct=_struct(fields.text("option_struct", cells)) or _struct(name) or self._said.option_struct,
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
        below: Row | None,
    ) -> Draft:
        said, around = self._said, self._around
        axe_bid, axe_ask, drafted = axed(drafted, mark, said.axe)
        par = plain(cells[plan.unit_par], self._table.locale) if plan.unit_par is not None else said.unit_par
        is_list = said.kind in (QuoteKind.bwic, QuoteKind.owic)  # whose times are those of the auction
        is_unit = any(level.quote_type is QuoteType.price_unit for level in drafted)
        return Draft(
            instrument=named,
            levels=drafted,
            sizes=sizes_of(plan.sizes, cells, drafted, said.kind, below.cells if below is not None else None),
            asset_class=known.name,
            class_source=known.source,
            firmness=said.firmness or Firmness.unknown,
            is_axe_bid=axe_bid,
            is_axe_ask=axe_ask,
            is_flat=said.flat or rules_of(known.name).flat,
            unit_par=par if is_unit else None,
            settle_text=self._table.fields.text("settle", cells) or said.settle,
            printed=clock_of(self._table.clocks, cells) if self._table.clocks and not is_list else None,
            said_at=said.printed,
            language=self._table.language,
            headed=self._table.headed,
            table_idx=around.table_idx,
            sheet=around.sheet,
        )


def _unticked(name: str) -> str:
    """The name without a ticker that looks like a currency: `COP 5.5 01/15/55` is of ConocoPhillips."""
    return name[3:] if name[3:5].lstrip()[:1].isdigit() else name


def _bond(text: str | None) -> str | None:
    return (bond(text) or text.upper()) if text else None


def _struct(text: str | None) -> str | None:
    return option_struct(text) if text else None


def text_of(cells: Sequence[Cell]) -> str:
    """A row's text: its cells joined by TAB."""
    return "\t".join([cell.text for cell in cells])
