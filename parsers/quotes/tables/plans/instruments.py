"""The instrument of a row: what its own columns say, and what a class's plan and the columns of a curve add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from parsers.document import Cell
from parsers.quotes.answers.attributes import attributes
from parsers.quotes.answers.dating import Dates
from parsers.quotes.answers.instruments import instrument_of
from parsers.quotes.answers.names import named_in
from parsers.quotes.classes import class_by_instrument, rules_of
from parsers.quotes.draft import Instrument
from parsers.quotes.headings.phrases import EXERCISED, option_struct
from parsers.quotes.regions import Place
from parsers.quotes.tables.around.around import Unit
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.cells.sizes import size_of
from parsers.quotes.tables.columns.fields import (
    AS_PRINTED,
    Fields,
    Texts,
    coupon_of,
    first,
    maturity_of,
)
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.plan import Plan
from parsers.values.currencies import PAIR
from parsers.values.separators import Locale
from parsers.values.times.tenors import tenor

_DELTA = re.compile(r"\d\d\s?d", re.IGNORECASE)
"""`25d RR`: a delta, no days."""

_PROGRAMMES = frozenset({"tba_mbs"})
_DIGIT = re.compile(r"(?<![A-Z])\d")
"""A coupon has one; the 2 of `G2SF` is the programme's."""

_TAIL = re.compile(r"\b(\d{1,2}\s?[yYjJaA])\s(?:swap\s)?tails?\b", re.IGNORECASE)
_OF_OPTIONS = 2
"""Tenors of an option on a swap: its own and the swap's."""


def tenor_of(texts: Texts) -> str | None:
    """The tenor printed in a tenor column, upper case."""
    printed = texts.get("tenor", ())
    if len(printed) == _OF_OPTIONS and (option := tenor(printed[0])) and (swap := tenor(printed[1])):
        return option + swap  # `Expiry | Tail`
    if not printed:
        return None
    parts = re.split(r"[()]", printed[0]) if printed[0][-1] == ")" else ()  # `13x1 (1Y)`
    return tenor(printed[0]) or next(filter(None, map(tenor, parts)), None) or printed[0].upper()[:20]


def instrument(
    table: Table, unit: Unit, name: str | None, place: Place, *, currency: str | None, dates: Dates
) -> Instrument:
    """The instrument that a row's name says, and over it all that its own columns say.

    Args:
        table: that the row is of.
        unit: the row.
        name: the instrument's text.
        place: where it belongs: its class, and its market.
        currency: of it.
        dates: in which order their parts are in the table.
    """
    fields, locale, cells, texts = table.fields, table.locale, unit.cells, unit.texts
    ends = (maturity_of(cells[at], dates.order(place, currency)) for at in fields.at.get("maturity", ()))
    due = next(filter(None, ends), None)
    text, asset_class = name or "", place.asset_class
    named = named_in(text, asset_class, locale, dated=due is not None)
    said = attributes(text, text, asset_class, locale)
    found = instrument_of(named, place, currency, dates=dates, locale=locale, said=said)
    others: dict[str, Any] = {role: texts[role][0] for role in AS_PRINTED if role in texts}
    if due is not None:
        is_unsure = due.ambiguous and not dates.is_told
        others |= {"maturity": due.date, "maturity_text": due.text, "is_due_unsure": is_unsure}
    others |= _coupon(table, cells)
    for field, index in fields.numbers:
        if field not in others and (value := plain(cells[index], locale)) is not None:
            others[field] = value
    own = tenor_of(texts) or (None if table.has_tenors else found.tenor)
    return replace(found, description=name, tenor=own, **others)


def _coupon(table: Table, cells: Sequence[Cell]) -> dict[str, Any]:
    """What the columns of coupons say of a row."""
    said: dict[str, Any] = {}
    for coupon in (coupon_of(cells[at], table.locale) for at in table.fields.at.get("coupon", ()) if cells[at].text):
        if coupon.kind != "unknown":
            said |= {"coupon": coupon.rate, "coupon_type": coupon.kind}
            said |= {"coupon_margin_bp": coupon.margin_bp} if coupon.margin_bp else {}
    return said


def planned_instrument(found: Instrument, plan: Plan, cells: Sequence[Cell], locale: Locale) -> Instrument:
    """With what only the class's plan knows of the row: original face, a loan's margin, a coupon under `Rate`."""
    if plan.orig_face is not None:
        column, rules = plan.orig_face
        face = size_of(cells[column.at], rules)
        found = replace(found, orig_face=face.value if face is not None else None)
    if plan.margin is not None and found.coupon_margin_bp is None:
        cell = cells[plan.margin]
        margin = plain(cell, locale)
        found = replace(found, coupon_margin_bp=coupon_of(cell, locale).margin_bp if margin is None else margin)
    if plan.coupon is not None and found.coupon_type == "unknown":
        coupon = coupon_of(cells[plan.coupon], locale)
        found = replace(found, coupon=coupon.rate, coupon_type=coupon.kind)
    return found


def whole_programme(found: Instrument, class_name: str, coupon: str | None) -> Instrument:
    """Of mortgages to be announced, with the coupon of its column: `FNCL` is a programme, `FNCL 5.5` what trades."""
    name = found.description
    if class_name not in _PROGRAMMES or coupon is None or name is None or _DIGIT.search(name):
        return found
    return replace(found, description=f"{name} {coupon}")


def dollars_of(identifiers: Iterable[tuple[str, str]]) -> str | None:
    """USD, where a US ISIN or a CUSIP of the United States or Canada is all that tells the money (spec 2.1)."""
    numbers = dict(identifiers)
    return "USD" if numbers.get("isin", "").startswith("US") or numbers.get("cusip", "A")[0].isdigit() else None


def titled_instrument(
    found: Instrument, title: str | None, month: str | None, money: str | None, coupon: str | None = None
) -> Instrument:
    """The instrument of a column: of a curve or programme in its own columns, of a month's delivery."""
    if title is None and month is None:
        return found
    named = " ".join(filter(None, (title, coupon))) if title else found.description
    description = " ".join(filter(None, (named, month.capitalize() if month else None)))
    return replace(found, description=description, currency=money if money and money != "$" else found.currency)


def dateless(found: Instrument, class_name: str, fields: Fields) -> Instrument:
    """Of what is quoted by tenor, without the day in its title as coupon or maturity: `EUR vols, close 17 Nov 2026`.

    Maturities of a column of their own stay.
    """
    if found.identifiers or not rules_of(class_name).curve:
        return found
    if found.coupon is not None and found.coupon.denominator == 1:
        found = replace(found, coupon=None, coupon_type="unknown")
    is_titled = (
        "maturity" not in fields.at
        and found.tenor is not None
        and (found.maturity_text or "\n") in (found.description or "")
    )
    return replace(found, maturity=None, maturity_text=None) if is_titled else found


def with_tail(found: Instrument) -> Instrument:
    """Of options by their expiry, with the tenor of the swap that their title names: `1M` of `10Y tails`."""
    tail = _TAIL.search(found.description or "")
    swap = tenor(tail[1]) if tail is not None else None
    is_expiry = swap is not None and found.tenor is not None and tenor(found.tenor) == found.tenor
    return replace(found, tenor=f"{found.tenor}{swap}") if is_expiry else found


def names_itself(structure: str) -> bool:
    """Whether an option's structure says what it is on: `1y10y ATM`, `Xover S46 Dec 262.5 payer`; not `25d RR`."""
    is_dated = named_in(structure, "swaption").tenor is not None and _DELTA.match(structure) is None
    return is_dated or class_by_instrument(structure) is not None


def whole_name(name: str | None, title: str | None, texts: Texts) -> str | None:
    """What says the class of a row: of a part `iTraxx Main S44 0-3%`, of a curve's point `USD SOFR OIS 2Y`.

    Of a pair beside the structures of options `EURUSD ATM`, of an index beside them `CDX IG S47 payer`.
    """
    if name is None or title != "":
        return f"{title} {name}" if name else name
    structure = first(texts, "option_struct")
    exercised = structure or first(texts, "sector")  # `Type`
    if exercised is not None and option_struct(exercised) in EXERCISED:  # `CDX IG S47` beside `Payer`
        return f"{name} {exercised.lower()}"
    if PAIR.fullmatch(name):
        return f"{name} ATM" if structure and option_struct(structure) else name
    return f"{name} {point}" if (point := tenor_of(texts)) else name
