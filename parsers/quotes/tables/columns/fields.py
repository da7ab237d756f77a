"""The columns that say what a row's instrument is: identifiers, names, coupon, maturity (spec 2.1, 5.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from parsers.document import Cell
from parsers.lexicon import compiled
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IDENTIFIERS
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.cells.identifying import identifier, in_name
from parsers.values.currencies import of_symbol
from parsers.values.numbers import is_null
from parsers.values.separators import Locale, within
from parsers.values.times.dates import DateOrder, Maturity, maturity

_CODE = re.compile(r"[A-Z]{3}")
_FLOATING = compiled(r"\b{floating_word}\b|[+]\s?\d", re.IGNORECASE)
_MARGIN = re.compile(r"(?:[A-Za-z€]{1,8}\s?)?[+]\s?(\d{1,4}(?:\.\d+)?)(?:\s?bps?)?")
_MIDNIGHT = re.compile(r"(?:T| +)(?:0?0:00(?::00)?|12:00(?::00)? AM)$", re.IGNORECASE)
_NAMELESS = re.compile(r"[\d.,/ %'’\-]+")
_SERIES = re.compile(r"[A-Z][ .\-/^]P[RF]?[ .\-/]?[A-Z]$")  # of a preferred: `BAC PRL`, `BCE.PR.K`
_LONGEST_NAME = 200
AS_PRINTED = ("issuer", "ticker", "tranche", "seniority", "rating", "strike")
"""Roles whose texts are what they say of an instrument."""
_PARTS = ("part", "tranche")
_NAMING = ("description", *_PARTS)
"""Roles whose texts may begin with an identifier: `Class` over `35564KA25 STACR 2023-DNA1 M2`."""
_NUMBERS = {"margin": "coupon_margin_bp", "factor": "factor", "wal": "wal_years", "ce": "ce_pct"}
_ASKED = frozenset(
    (*AS_PRINTED, *_PARTS, "description", "local_code", "coupon", "maturity", "currency", "tenor", "option_struct")
) | {"benchmark", "settle", "sector"}


Texts = Mapping[str, Sequence[str]]
"""What a row prints: role -> texts, left to right; null words are none, and roles without a text are absent."""


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

    def texts(self, cells: Sequence[Cell]) -> Texts:
        """What the row prints, read once for all that is asked of it."""
        found: dict[str, list[str]] = {}
        for role, index in self._asked:
            text = cells[index].text
            if text and not is_null(text):
                found.setdefault(role, []).append(_unnumbered(text) if role in _NAMING else text)
        return found

    @cached_property
    def _asked(self) -> list[tuple[str, int]]:
        return [(role, index) for role, places in self.at.items() if role in _ASKED for index in places]

    def identifiers(self, cells: Sequence[Cell]) -> tuple[tuple[str, str], ...]:
        """(kind, value) of each identifier cell, left to right; values may fail their check."""
        found = []
        for index, role in self._identifying:
            text = cells[index].text
            if text and not is_null(text) and (one := identifier(role, text)) is not None:
                found.append(one)
        if not self._identifying:
            names = [cells[index].text for role in _NAMING for index in self.at.get(role, ())]
            found = [one for name in names for one in in_name(name)]
        return tuple(found)

    @cached_property
    def _identifying(self) -> list[tuple[int, str]]:
        return sorted((index, role) for role in IDENTIFIERS for index in self.at.get(role, ()))

    def name(self, texts: Texts) -> str | None:
        """The instrument's text: descriptions joined, else ticker or issuer with coupon and maturity; then its part.

        Where neither coupon nor maturity makes a bond of a ticker, the issuer is what is quoted: a reference entity;
        but of a preferred the series is.
        """
        names = texts.get("description")
        parts = self._called(texts)
        terms = [] if names else terms_of(texts)
        if not parts and terms and terms[0][0].isalpha():  # `FN 5.5` beside the story of its pools
            parts, terms = terms, []
        for role in _PARTS:
            if role in texts:
                parts += [text for text in texts[role] if not parts or text not in parts[-1].split()]
        if parts:
            parts += terms
        return " ".join(parts)[:_LONGEST_NAME] or None

    def _called(self, texts: Texts) -> list[str]:
        """The descriptions, else what it goes by; both where these are terms: `BRAZIL` beside `6.125 3/34`."""
        names = texts.get("description")
        roles = self._naming if not _is_series(texts) else ("ticker",)
        called = next((texts[role][:1] for role in roles if role in texts), ())
        is_bare = names is not None and all(map(nameless, names))
        return [*called, *names] if names is not None and is_bare else list(names or called)

    @cached_property
    def _naming(self) -> tuple[str, ...]:
        """A code without a digit is the issuer's: `PEMEX` beside the series `19`."""
        is_bond = not self.at.keys().isdisjoint({"coupon", "maturity"})
        return ("ticker", "issuer", "local_code") if is_bond else ("issuer", "ticker", "local_code")

    @cached_property
    def numbers(self) -> list[tuple[str, int]]:
        """The columns of plain numbers: what they are of an instrument, and their places."""
        return [(name, index) for role, name in _NUMBERS.items() for index in self.at.get(role, ())]


def _unnumbered(text: str) -> str:
    """A name without the identifier in front of it."""
    number = next((value for _, value in in_name(text) if text.startswith(value)), "")
    return text[len(number) :].lstrip(" -–:/") or text


def _is_series(texts: Texts) -> bool:
    return "ticker" in texts and _SERIES.search(texts["ticker"][0]) is not None


def terms_of(texts: Texts) -> list[str]:
    """Coupon and maturity as printed."""
    return [_MIDNIGHT.sub("", texts[role][0]) for role in ("coupon", "maturity") if role in texts]


def first(texts: Texts, role: str) -> str | None:
    """The first text under a role."""
    return texts[role][0] if role in texts else None


def code_of(text: str | None) -> str | None:
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


class Coupon(Struct, frozen=True, gc=False):
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
