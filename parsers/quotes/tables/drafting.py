"""From a priced row to its drafts: instrument, class, levels, sizes, marks (spec section 2, rulings 2, 3, 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import LISTS, Code, Firmness, Flag, QuoteKind, QuoteType
from parsers.document import Cell
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.quotes.headings.surroundings import merged
from parsers.quotes.tables.around import Around, Refused, Unit
from parsers.quotes.tables.block import Block
from parsers.quotes.tables.cells import Nothing, plain
from parsers.quotes.tables.classing import Class, corner_of, default_class, row_class
from parsers.quotes.tables.clocks import clock_of
from parsers.quotes.tables.fields import Texts, first, nameless, terms_of
from parsers.quotes.tables.instruments import (
    dateless,
    dollars_of,
    instrument,
    names_itself,
    planned_instrument,
    titled_instrument,
    whole_name,
    whole_programme,
    with_tenor,
)
from parsers.quotes.tables.levels import RowWords, levels
from parsers.quotes.tables.moneys import Moneys
from parsers.quotes.tables.outcomes import is_traded
from parsers.quotes.tables.plan import Plan, plan_of
from parsers.quotes.tables.row_measures import named_measure, stated_in_row
from parsers.quotes.tables.row_words import Dates, Mark, axed, mark_of
from parsers.quotes.tables.sections import Section, is_market_talk
from parsers.quotes.tables.sectors import Sectors
from parsers.quotes.tables.sizes import sizes_of
from parsers.quotes.tables.slot_readings import Read, parted, read
from parsers.quotes.tables.stating import UNQUOTED, stated_curve
from parsers.quotes.tables.table import Table
from parsers.values.benchmarks import bond
from parsers.values.dates import DateOrder

_SIDES = frozenset({"bid", "ask", "mid"})
_VALUES = ("ref_price", "delta", "running")
_PER_UNIT = QuoteType.price_unit
_REFUSALS = {
    Nothing.absent: Code.ROW_NO_PRICE,
    Nothing.withdrawn: Code.ROW_WITHDRAWN,
    Nothing.unreadable: Code.ROW_AMBIGUOUS_NUMBER,
}


class Drafter:
    """Makes the drafts of the rows under one section."""

    def __init__(self, block: Block, table: Table, around: Around, section: Section, dates: Dates) -> None:
        self._block, self._table, self._around, self._section, self._dates = block, table, around, section, dates
        self._said = merged((section.said, around.said))
        self._default = default_class(table.columns, around.default_class, around.said.benchmark)
        self._plans: dict[tuple[object, ...], Plan] = {}
        # the tenor of a title goes in front of a column's where both are of an option on a swap: not `O/N to 1M`
        self._may_add = not table.has_tenors or "swaption" in {section.found.name, around.found.name}
        self._moneys = Moneys(table, around, self._said)
        self._whole = section.name or corner_of(table.columns[0])
        self._sectors = Sectors(table, around.found, section.found)

    def drafts(self, unit: Unit) -> Iterator[Draft | Refused]:
        """The drafts of a row, one an instrument, or why there is none."""
        table, cells, texts = self._table, unit.cells, unit.texts
        identifiers = table.fields.identifiers(cells)
        name = self._name(cells, texts, is_identified=bool(identifiers))
        if name is not None and not identifiers and is_market_talk(name, self._around.found.name):
            return
        whole = whole_name(name, self._around.title if self._table.is_of_parts else "", texts)
        known = row_class(self._sectors.of(texts), self._around.found, identifiers, whole, self._default)
        found = instrument(
            table.fields,
            cells,
            texts,
            locale=table.locale,
            order=lambda money: self._order(money, known.name, identifiers, name),
            is_order_told=self._dates.is_told,
            identifiers=identifiers,
            name=name,
            stated=self._moneys.stated(name, known.name),
        )
        stated = stated_in_row(table, cells, texts) or named_measure(table, known.name, name, cells)
        if stated == UNQUOTED:
            return
        plan = self._plan(known.name, found.currency or dollars_of(identifiers), name, stated)
        found = dateless(planned_instrument(found, plan, cells, table.locale), known.name, table.fields)
        found = whole_programme(found, known.name, first(texts, "coupon"))
        if found.currency is None:
            found = self._moneys.printed(found, plan, cells, known.name)
        if not found.tenor and name and not table.has_tenors:
            found = with_tenor(found, known.name)
        mark = mark_of(table.columns, table.fields, cells)
        words = self._words(cells, texts, mark, found, name)
        reads: dict[tuple[str | None, str | None], list[Read]] = {}
        missed: list[tuple[Nothing, int]] = []
        for planned in plan.levels:
            lead = planned.slot.lead
            one = read(planned, cells, unit.below, words.kind)
            if isinstance(one, Nothing):
                missed.append((one, lead.at))
            else:
                programme = None if table.is_named else lead.title
                reads.setdefault((programme, lead.month), []).extend(parted(one, cells))
        own = unit.row.cells[self._block.first : self._block.last]
        lower = unit.below[self._block.first : self._block.last] if unit.below is not None else ()
        text = text_of((*own, *lower))
        if not reads:
            nothing, at = max(missed, key=lambda miss: miss[0].value, default=(Nothing.absent, self._block.first))
            yield Refused(_REFUSALS[nothing], unit.row, at, text)
            return
        flags = {Flag.merged_fill} if unit.is_filled_down else set()
        if any(cell.formula_no_cache for cell in own if not cell.text):
            flags.add(Flag.formula_no_cache)
        is_hidden = unit.row.hidden or self._around.hidden
        for (title, month), some in reads.items():
            named = titled_instrument(found, title, month, some[0].planned.slot.lead.currency, first(texts, "coupon"))
            is_unseen = is_hidden or any(cells[item.at].hidden for item in some)
            yield self._draft(
                levels(some, cells, words, self._block.turned),
                named,
                known,
                plan,
                unit,
                mark=mark,
                month=month,
                text=text,
                flags=frozenset(flags | {Flag.hidden_source} if is_unseen else flags),
            )

    def _name(self, cells: Sequence[Cell], texts: Texts, *, is_identified: bool) -> str | None:
        """The row's instrument text; under a section that names the issuer, or a title that names the curve."""
        name = self._table.fields.name(texts)
        if not self._table.is_named:
            coupon = " ".join(cells[index].text for index in self._table.fields.at.get("coupon", ()))
            own = coupon if coupon[:1].isalpha() else first(texts, "option_struct")
            if own and (own == coupon or names_itself(own)):  # `FNCL 5.0` as a coupon
                return own
            return " ".join(filter(None, (self._section.name or self._around.title, coupon))) or None
        whole = self._whole
        if not is_identified and (nameless(name) or self._table.is_of_parts) and whole is not None:
            return " ".join((whole, *([name] if name else terms_of(texts))))
        return name

    def _order(
        self, money: str | None, class_name: str, identifiers: Iterable[tuple[str, str]], name: str | None
    ) -> DateOrder:
        """How the row's dates are ordered, given its currency; where none is printed, its market's."""
        if money is not None or self._dates.is_told:
            return self._dates.order(money)
        numbers, rules = dict(identifiers), rules_of(class_name)
        market = rules.currency or (rules.market_of(name) if name else None) or ("USD" if "cusip" in numbers else None)
        if market is None and numbers.get("isin", "")[:2] in {"US", "CA"}:
            market = "USD"
        return self._dates.order(market)

    def _plan(self, class_name: str, money: str | None, name: str | None, stated: str | None) -> Plan:
        rules = rules_of(class_name)
        is_future = rules.futures is not None and name is not None and rules.futures.match(name) is not None
        if rules.ticks == "usd" and money is None and name is not None:
            money = rules.market_of(name)  # `TII 1 3/8 07/33` is in 32nds whatever its table prints
        key = (class_name, money, is_future, stated)
        if key not in self._plans:
            instrument = name or "" if is_future else ""
            self._plans[key] = plan_of(self._table, class_name, self._said, money, stated=stated, instrument=instrument)
        return self._plans[key]

    def _words(self, cells: Sequence[Cell], texts: Texts, mark: Mark, found: Instrument, name: str | None) -> RowWords:
        said, benchmark = self._said, first(texts, "benchmark")
        if benchmark is None and self._table.stating is not None:
            benchmark = stated_curve(cells[self._table.stating])
        side = mark.side if mark.side in _SIDES else said.side
        if side is None and said.axe in _SIDES:
            side = said.axe
        return RowWords(
            side=side,
            kind=QuoteKind.trade if is_traded(cells, self._table.outcome) else said.kind,
            tenor=found.tenor  # of the row, else of title and corner
            or (said.tenor if said.tenor != self._table.only_tenor and self._may_add else None)
            or (self._table.columns[0].tenor if self._table.columns[0].role == "description" else None),
            structs=(first(texts, "option_struct"), first(texts, "sector"), name),  # `Type` over `Straddle`
            option_struct=said.option_struct,
            benchmark=(bond(benchmark, day_first=self._dates.is_foreign) or benchmark.upper()) if benchmark else None,
            **{role: self._value(role, cells) for role in _VALUES if role in self._table.fields.at},
        )

    def _value(self, role: str, cells: Sequence[Cell]) -> Fraction | None:
        """The number in the first filled cell of a role: `@ 31.20` of the stock."""
        ceiling = None if role == "ref_price" else 1000
        cell = next((cell for at in self._table.fields.at[role] if (cell := cells[at]).text), None)
        return plain(replace(cell, text=cell.text.lstrip("@ ")), self._table.locale, ceiling=ceiling) if cell else None

    def _draft(
        self,
        drafted: tuple[Level, ...],
        named: Instrument,
        known: Class,
        plan: Plan,
        unit: Unit,
        *,
        mark: Mark,
        month: str | None,
        text: str,
        flags: frozenset[Flag],
    ) -> Draft:
        said, around, cells = self._said, self._around, unit.cells
        axe_bid, axe_ask, drafted = axed(drafted, mark, said.axe)
        par = plain(cells[plan.unit_par], self._table.locale) if plan.unit_par is not None else said.unit_par
        is_list = said.kind in LISTS  # whose times are those of the auction
        is_unit = par is not None and any(level.quote_type is _PER_UNIT for level in drafted)
        return Draft(
            instrument=named,
            levels=drafted,
            sizes=sizes_of(plan.sizes, cells, drafted, said.kind, unit.below),
            asset_class=known.name,
            class_source=known.source,
            firmness=said.firmness or Firmness.unknown,
            is_axe_bid=axe_bid,
            is_axe_ask=axe_ask,
            is_flat=said.flat or rules_of(known.name).flat,
            unit_par=par if is_unit else None,
            settle_text=first(unit.texts, "settle") or said.settle or month,
            printed=clock_of(self._table.clocks, cells) if self._table.clocks and not is_list else None,
            said_at=said.printed,
            language=self._table.language or self._around.language,
            headed=self._table.headed,
            flags=flags,
            raw_text=text,
            page=unit.row.page,
            table_idx=around.table_idx,
            row=unit.row.number,
            sheet=around.sheet,
        )


def text_of(cells: Sequence[Cell]) -> str:
    """A row's text: its cells joined by TAB."""
    return "\t".join([cell.text for cell in cells])
