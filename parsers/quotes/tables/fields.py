"""The instrument of a row: identifiers, names, coupon, maturity and what else its columns say (spec 2.1, 5.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from parsers.document import Cell
from parsers.quotes.draft import Instrument
from parsers.quotes.headings.columns import IDENTIFIERS, Column
from parsers.quotes.tables.cells import plain
from parsers.quotes.tables.identifying import identifier, in_name
from parsers.quotes.tables.names import due_behind, rate_behind, terms
from parsers.values.currencies import of_symbol
from parsers.values.dates import DateOrder, Maturity, maturity
from parsers.values.numbers import is_null
from parsers.values.separators import Locale, within
from parsers.values.tenors import tenor

_CODE = re.compile(r"[A-Z]{3}")
_FLOATING = re.compile(
    r"\b(?:frn|flt|float(?:ing|er)?|var(?:iable)?|libor|sofr|euribor|[sel]\s?\+)\b|[+]\s?\d", re.IGNORECASE
)
_MARGIN = re.compile(r"(?:[A-Za-z€]{1,8}\s?)?[+]\s?(\d{1,4}(?:\.\d+)?)(?:\s?bps?)?")
_MIDNIGHT = re.compile(r"(?:T| +)(?:0?0:00(?::00)?|12:00(?::00)? AM)$", re.IGNORECASE)
_NAMELESS = re.compile(r"[\d.,/ %'’\-]+")
_LONGEST_NAME = 200
_OF_OPTIONS = 2
"""Tenors of an option on a swap: its own and the swap's."""


class Fields(Struct, frozen=True, dict=True):
    """Where the columns of a table's instrument facts are: role -> cell indexes, left to right."""

    at: dict[str, tuple[int, ...]]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Fields:
        """The places of all columns that are neither levels nor sizes."""
        at: dict[str, tuple[int, ...]] = {}
        for column in columns:
            at[column.role] = (*at.get(column.role, ()), column.at)
        return cls(at)

    def text(self, role: str, cells: Sequence[Cell]) -> str | None:
        """The first text under a role; null words are none."""
        places = self.at.get(role)
        if places is None:
            return None
        for index in places:
            text = cells[index].text
            if text and not is_null(text):
                return text
        return None

    def identifiers(self, cells: Sequence[Cell]) -> tuple[tuple[str, str], ...]:
        """(kind, value) of each identifier cell, left to right; values may fail their check."""
        found = []
        for index, role in self._identifying:
            text = cells[index].text
            if text and not is_null(text) and (one := identifier(role, text)) is not None:
                found.append(one)
        if not self._identifying:
            found = [one for index in self.at.get("description", ()) for one in in_name(cells[index].text)]
        return tuple(found)

    @cached_property
    def _identifying(self) -> list[tuple[int, str]]:
        return sorted((index, role) for role in IDENTIFIERS for index in self.at.get(role, ()))

    def name(self, cells: Sequence[Cell]) -> str | None:
        """The instrument's text: descriptions joined, else ticker or issuer with coupon and maturity; then its part.

        Where neither coupon nor maturity makes a bond of a ticker, the issuer is what is quoted: a reference entity.
        """
        names = self._texts("description", cells)
        roles = ("ticker", "issuer") if self.at.keys() & {"coupon", "maturity"} else ("issuer", "ticker")
        others = (*roles, "local_code")  # a code without a digit is the issuer's: `PEMEX` beside the series `19`
        parts = names or next((texts[:1] for role in others if (texts := self._texts(role, cells))), [])
        for role in ("part", "tranche"):
            parts += [text for text in self._texts(role, cells) if not parts or text not in parts[-1].split()]
        parts += self.terms(cells) if parts and not names else []
        return " ".join(parts)[:_LONGEST_NAME] or None

    def terms(self, cells: Sequence[Cell]) -> list[str]:
        """Coupon and maturity as printed."""
        texts = [text for role in ("coupon", "maturity") for text in self._texts(role, cells)[:1]]
        return [_MIDNIGHT.sub("", text) for text in texts]

    def _texts(self, role: str, cells: Sequence[Cell]) -> list[str]:
        return [text for index in self.at.get(role, ()) if (text := cells[index].text) and not is_null(text)]


def currency(text: str | None) -> str | None:
    """The code of a currency cell."""
    if not text:
        return None
    text = text.strip().upper()
    return of_symbol(text) or (text if _CODE.fullmatch(text) else None)


def maturity_of(cell: Cell, order: DateOrder) -> Maturity | None:
    """The maturity of a cell: a workbook's date, or a text as the block orders its dates."""
    if isinstance(cell.value, datetime):
        return Maturity(cell.value.date(), _MIDNIGHT.sub("", cell.text))  # a day, whatever time its format adds
    if isinstance(cell.value, date):
        return Maturity(cell.value, cell.text)
    if isinstance(cell.value, Decimal):
        year = cell.value == cell.value.to_integral_value() and 2000 <= cell.value <= 2150
        return Maturity(None, cell.text) if year else None
    text = cell.text
    if not text or is_null(text):
        return None
    return maturity(text, order) or Maturity(None, text)


class Coupon(Struct, frozen=True):
    """A coupon as printed."""

    rate: Fraction | None = None
    kind: str = "unknown"
    margin_bp: Fraction | None = None


def coupon_of(cell: Cell, locale: Locale) -> Coupon:
    """The coupon of a cell: a rate, or a floater's margin."""
    rate = plain(cell, locale)
    if rate is not None:
        return Coupon(rate, "fixed" if rate else "zero") if within(rate, 0, 40) else Coupon()
    text = cell.text
    if _FLOATING.search(text):
        margin = _MARGIN.search(text)
        return Coupon(None, "float", Fraction(margin[1]) if margin else None)
    return Coupon()


def nameless(text: str | None) -> bool:
    """Whether a description holds no name, only numbers: `5.8 03/27` under a section that names the issuer."""
    return text is None or _NAMELESS.fullmatch(text) is not None


def tenor_of(fields: Fields, cells: Sequence[Cell]) -> str | None:
    """The tenor printed in a tenor column, upper case."""
    texts = [text for index in fields.at.get("tenor", ()) if (text := cells[index].text) and not is_null(text)]
    known = [found for text in texts if (found := tenor(text)) is not None]
    if len(known) == len(texts) == _OF_OPTIONS:  # `Expiry | Tail`
        return "".join(known)
    return (tenor(texts[0]) or texts[0].upper()[:20]) if texts else None


def instrument(
    fields: Fields,
    cells: Sequence[Cell],
    *,
    locale: Locale,
    order: Callable[[str | None], DateOrder],
    is_order_told: bool,
    identifiers: tuple[tuple[str, str], ...],
    name: str | None,
    stated: str | None,
) -> Instrument:
    """All that a row's own columns say of its instrument.

    Args:
        fields: where the columns are.
        cells: of the row.
        locale: of the table's numbers.
        order: of the parts of a date, given the row's currency.
        is_order_told: it follows from the table itself.
        identifiers: of the row.
        name: the instrument's text.
        stated: the currency that the words around the row state.
    """
    coupon = Coupon()
    money = currency(fields.text("currency", cells)) or stated
    for index in fields.at.get("coupon", ()):
        if cells[index].text:
            coupon = coupon_of(cells[index], locale)
    due = None
    for index in fields.at.get("maturity", ()):
        due = due or maturity_of(cells[index], order(money))
    if name is not None and (coupon.kind == "unknown" or due is None):
        said = terms(name)
        if coupon.kind == "unknown" and said.coupon is not None:
            coupon = Coupon(said.coupon, "fixed" if said.coupon else "zero")
        elif coupon.kind == "unknown" and due is not None and (rate := rate_behind(name)) is not None:
            coupon = Coupon(rate, "fixed")
        if due is None and (text := said.due or due_behind(name)) is not None:
            due = maturity(text, order(money)) or Maturity(None, text)
    return Instrument(
        identifiers=identifiers,
        description=name,
        issuer=fields.text("issuer", cells),
        ticker=fields.text("ticker", cells),
        tranche=fields.text("tranche", cells),
        seniority=fields.text("seniority", cells),
        rating=fields.text("rating", cells),
        coupon=coupon.rate,
        coupon_type=coupon.kind,
        coupon_margin_bp=coupon.margin_bp or _plain_at(fields, "margin", cells, locale),
        maturity=due.date if due else None,
        maturity_text=due.text if due else None,
        is_due_unsure=due is not None and due.ambiguous and not is_order_told,
        tenor=tenor_of(fields, cells),
        currency=money,
        strike=fields.text("strike", cells),
        factor=_plain_at(fields, "factor", cells, locale),
        wal_years=_plain_at(fields, "wal", cells, locale),
        ce_pct=_plain_at(fields, "ce", cells, locale),
    )


def _plain_at(fields: Fields, role: str, cells: Sequence[Cell], locale: Locale) -> Fraction | None:
    for index in fields.at.get(role, ()):
        found = plain(cells[index], locale)
        if found is not None:
            return found
    return None
