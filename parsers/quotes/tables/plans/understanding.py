"""A row with prices, understood before any of them is read: instrument, class, plan, words (spec 2.1, ruling 11)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.document import Cell
from parsers.quotes.answers.classing import by_form, class_of
from parsers.quotes.answers.dating import Dates
from parsers.quotes.answers.names import names_bond
from parsers.quotes.answers.told import Told, as_weighed, with_weighed
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Instrument
from parsers.quotes.regions import Place
from parsers.quotes.tables.around.around import Around, Unit
from parsers.quotes.tables.around.classing import Class, corner_of, default_class, row_told
from parsers.quotes.tables.around.sections import Section, is_market_talk
from parsers.quotes.tables.around.sectors import Sectors
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.columns.fields import Texts, code_of, first, nameless, terms_of
from parsers.quotes.tables.columns.outcomes import is_traded
from parsers.quotes.tables.columns.stating import UNQUOTED, stated_curve
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.instruments import (
    dateless,
    dollars_of,
    instrument,
    names_itself,
    planned_instrument,
    whole_name,
    whole_programme,
    with_tail,
)
from parsers.quotes.tables.plans.levels import RowWords
from parsers.quotes.tables.plans.moneys import Moneys
from parsers.quotes.tables.plans.plan import Plan, plan_of
from parsers.quotes.tables.plans.row_measures import named_measure, stated_in_row
from parsers.quotes.tables.plans.row_words import Mark, mark_of
from parsers.values.benchmarks import bond
from parsers.values.outrights import pair_in

_SIDES = frozenset({"bid", "ask", "mid"})
_VALUES = ("ref_price", "delta", "running")


class Understood(Struct, frozen=True, gc=False):
    """What a row says beside its prices."""

    instrument: Instrument
    known: Class
    told: Told
    plan: Plan
    mark: Mark
    words: RowWords


class Understanding:
    """Understands the rows under one section."""

    def __init__(self, table: Table, around: Around, section: Section, dates: Dates) -> None:
        self._table, self._around, self._section, self._dates = table, around, section, dates
        self._said = section.said
        self._default = default_class(table.columns, around.default_class, around.said.benchmark, table.sample)
        self._plans: dict[tuple[object, ...], Plan] = {}
        # the tenor of a title goes in front of a column's where both are of an option on a swap: not `O/N to 1M`
        self._may_add = not table.has_tenors or "swaption" in {section.found.name, around.found.name}
        self._moneys = Moneys(table, around, self._said)
        self._whole = section.name or corner_of(table.columns[0])
        self._sectors = Sectors(table, around.found, section.found)

    def of(self, unit: Unit) -> Understood | None:
        """What a row says; None where it tells of the market, or of what nobody quotes."""
        table, cells, texts = self._table, unit.cells, unit.texts
        identifiers = table.fields.identifiers(cells)
        name = self._name(cells, texts, is_identified=bool(identifiers))
        if name is not None and not identifiers and is_market_talk(name, self._around.found.name):
            return None
        whole = whole_name(name, self._around.title if self._table.is_of_parts else "", texts)
        told = self._told(texts)
        own = code_of(first(texts, "currency"))
        money = self._moneys.said(own, whole, cells) if told.securities is not None else None
        known = self._by_form(self._class(told, identifiers, whole, money), name or "", unit, told)
        currency = self._moneys.of(own, name, known.name)
        numbers = dict(identifiers)
        isin, cusip = numbers.get("isin"), numbers.get("cusip")
        place = Place(known.name, isin, cusip, name, self._around.region, usual=self._around.usual)
        found = replace(
            instrument(table, unit, name, place, currency=currency, dates=self._dates), identifiers=identifiers
        )
        stated = stated_in_row(table, cells, texts) or named_measure(table, known.name, name, cells)
        if stated == UNQUOTED:
            return None
        plan = self._plan(known.name, found.currency or dollars_of(identifiers), name, stated)
        found = dateless(planned_instrument(found, plan, cells, table.locale), known.name, table.fields)
        found = whole_programme(found, known.name, first(texts, "coupon"))
        if found.currency is None:
            found = self._moneys.printed(found, plan, cells, known.name)
        if known.name == "swaption":
            found = with_tail(found)
        mark = mark_of(table.columns, table.fields, cells)
        words = self._words(cells, texts, mark, found, name)
        return Understood(found, known, told, plan, mark, words)

    def _told(self, texts: Texts) -> Told:
        """What is said around the row of its class."""
        told = row_told(
            self._sectors.of(texts),
            self._around.found,
            self._default,
            has_tenors=self._table.has_tenors,
            is_canadian=self._said.currency == "CAD",
            securities=self._around.securities,
        )
        anew = self._around.heeded.anew
        return with_weighed(told, anew) if anew else told

    def _class(
        self, told: Told, identifiers: tuple[tuple[str, str], ...], whole: str | None, money: str | None
    ) -> Class:
        """The row's class; what has strikes on an index is an option, quoted with its tranches (spec section 1)."""
        name, source = class_of(whole or "", identifiers, told, money)
        has_strikes = name == "cds_index" and "strike" in self._table.fields.at
        return Class(*as_weighed(("cds_tranche", "header"), told)) if has_strikes else Class(name, source)

    def _by_form(self, known: Class, name: str, unit: Unit, told: Told) -> Class:
        """The row's class, or that of a bond among shares."""
        is_bond = names_bond(name) or all(first(unit.texts, role) for role in ("coupon", "maturity"))
        level = next((unit.cells[column.at].text for column in self._table.columns if column.is_level), "")
        other = by_form(known.name, name, is_bond=is_bond, level=level)
        return known if other is None else Class(*as_weighed((other, "notation"), told))

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

    def _plan(self, class_name: str, money: str | None, name: str | None, stated: str | None) -> Plan:
        rules = rules_of(class_name)
        is_future = rules.futures is not None and name is not None and rules.futures.match(name) is not None
        if rules.ticks == "usd" and money is None and name is not None:
            money = rules.market_of(name)  # `TII 1 3/8 07/33` is in 32nds whatever its table prints
        # a plan for each pair, not for each row: `USDMXN 1M`, `USDMXN 2M`
        instrument = pair_in(name or "") if class_name == "fx_forward" else name or "" if is_future else ""
        key = (class_name, money, is_future or instrument, stated)
        if key not in self._plans:
            table = self._sectors.table_of(class_name)
            self._plans[key] = plan_of(table, class_name, self._said, money, stated=stated, instrument=instrument)
        return self._plans[key]

    def _words(self, cells: Sequence[Cell], texts: Texts, mark: Mark, found: Instrument, name: str | None) -> RowWords:
        said, benchmark = self._said, first(texts, "benchmark")
        if benchmark is None and self._table.stating is not None:
            benchmark = stated_curve(cells[self._table.stating])
        return RowWords(
            own=mark.side if mark.side in _SIDES else None,
            side=said.side,
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
