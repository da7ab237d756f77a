"""What is known of a table before any class: its columns, and how they write numbers (spec 4.2, 4.4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from msgspec import Struct

from parsers.codes import Flag
from parsers.document import Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IDENTIFIERS, LEVEL, NAMES, SIZE
from parsers.quotes.tables.columns.fields import Fields
from parsers.quotes.tables.columns.outcomes import outcome_column
from parsers.quotes.tables.columns.settling import by_values, in_language
from parsers.quotes.tables.columns.stating import stating_column
from parsers.values.locales import block_locale, numerals
from parsers.values.separators import Locale

SAMPLED_ROWS = 60
_HUNDREDS = re.compile(r"[-+]?[1-9]\d\d")
_THOUSANDS = re.compile(r"[-+]?\d([.,])\d{3}")


class Table(Struct, frozen=True, dict=True):
    """What is known of a table before any class: its columns and how they write numbers."""

    columns: tuple[Column, ...]
    fields: Fields
    locale: Locale
    doubts: frozenset[Flag]
    language: str | None
    uses_mm: bool  # some size is printed in MM, so M is a thousand
    plus_ticks: bool  # at least three levels end in `+`: 32nds (spec 4.4)
    headed: bool
    currency: str | None  # the only one in its headings; `$` as printed
    sample: tuple[Row, ...]

    @cached_property
    def is_named(self) -> bool:
        """Whether some column names the instruments; else their titles do."""
        return not self.fields.at.keys().isdisjoint(NAMES | IDENTIFIERS | {"tranche", "part"})

    @cached_property
    def is_of_parts(self) -> bool:
        """Whether no column names more than the part of an instrument."""
        return self.fields.at.keys().isdisjoint(NAMES | IDENTIFIERS)

    @cached_property
    def sectors(self) -> frozenset[str]:
        """What stands in its columns of sectors."""
        return frozenset(row.cells[at].text for at in self.fields.at.get("sector", ()) for row in self.sample)

    @cached_property
    def has_tenors(self) -> bool:
        """Whether the headings are points of a curve."""
        return any(column.tenor for column in self.columns if column.is_level)  # not `Chg on day`

    @cached_property
    def only_tenor(self) -> str | None:
        """The one point of a curve that the headings name, if it is one."""
        points = {column.tenor for column in self.columns if column.tenor and column.is_level}
        return points.pop() if len(points) == 1 else None

    @cached_property
    def clocks(self) -> tuple[int, ...]:
        """The cells with the day or time of a row's quotes."""
        return tuple(column.at for column in self.columns if column.clock)

    @cached_property
    def bare(self) -> tuple[int, ...]:
        """The cells of levels whose headings say no measure."""
        return tuple(column.at for column in self.columns if column.is_level and column.measure is None)

    @cached_property
    def outcome(self) -> int | None:
        """The cell that says of each row whether it traded, if any."""
        return outcome_column(self.columns, self.sample)

    @cached_property
    def stating(self) -> int | None:
        """The cell that says of each row what its levels are, if any."""
        return stating_column(self.columns, self.sample)


def table_of(columns: Sequence[Column], body: Sequence[Row], *, headed: bool) -> Table:
    """The table of these columns, its locale told from its own numbers (spec 4.2)."""
    sample = tuple(body[:SAMPLED_ROWS])
    language = _language(columns)
    columns = by_values(in_language(columns, language), sample)
    figures = _printed(columns, sample, {LEVEL, "coupon"})
    tokens = numerals(*figures)
    pluses = sum(text.count("+") for text in figures if text[-1] == "+")
    is_mm = any("mm" in text.lower() for text in _printed(columns, sample, {SIZE}))
    prices = any(column.role == LEVEL and column.measure in (None, "price", "price_pct") for column in columns)
    locale, doubts = block_locale(tokens, prices=prices, language=language)
    if Flag.locale_assumed in doubts and (grouped := _grouped(columns, sample)) is not None:
        locale, doubts = grouped, frozenset()
    return Table(
        tuple(columns),
        Fields.of(columns),
        locale,
        doubts,
        language,
        is_mm,
        pluses >= 3,
        headed,
        _currency(columns),
        sample,
    )


def _printed(columns: Sequence[Column], sample: Sequence[Row], roles: Collection[str]) -> list[str]:
    """The texts under columns of these roles, but for those of a workbook's own values."""
    places = [column.at for column in columns if column.role in roles]
    return [cell.text for row in sample for at in places if (cell := row.cells[at]).text and cell.value is None]


def _grouped(columns: Sequence[Column], sample: Sequence[Row]) -> Locale | None:
    """The locale of levels without decimals that grow beyond a thousand, as points do: `745`, `2,210`."""
    for column in columns:
        texts = _printed([column], sample, {LEVEL})
        marks = {match[1] for text in texts if (match := _THOUSANDS.fullmatch(text))}
        is_whole = any(_HUNDREDS.fullmatch(text) and text != "100" for text in texts) and len(marks) == 1
        if is_whole and all(_HUNDREDS.fullmatch(text) or _THOUSANDS.fullmatch(text) for text in texts):
            return Locale.point if "," in marks else Locale.comma
    return None


def _currency(columns: Sequence[Column]) -> str | None:
    """The only currency of the headings; of curves in columns of their own, each has its own or none."""
    found = {column.currency for column in columns if column.currency is not None}
    is_of_one = any(one.title and not one.currency for one in columns if one.is_level) and any(
        one.title and one.currency for one in columns if one.is_level
    )
    return found.pop() if len(found) == 1 and not is_of_one else None


def _language(columns: Sequence[Column]) -> str | None:
    seen: dict[str, int] = {}
    for column in columns:
        for language in set(heading(column.text).meanings.get("language", ())):
            seen[language] = seen.get(language, 0) + 1
    return max(seen, key=lambda language: seen[language]) if seen else None
