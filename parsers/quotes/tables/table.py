"""What is known of a table before any class: its columns, and how they write numbers (spec 4.2, 4.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.document import Row
from parsers.quotes.headings.columns import IDENTIFIERS, IGNORED, LEVEL, NAMES, SIZE, Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.tables.cells import has_prefix
from parsers.quotes.tables.fields import Fields
from parsers.quotes.tables.stating import stating_column
from parsers.values.benchmarks import bond
from parsers.values.locales import block_locale, numerals
from parsers.values.numbers import Locale, is_null
from parsers.values.tenors import tenor

SAMPLED_ROWS = 60
_COUNTED = 3

_REFERRING = re.compile(r"ref(?:erence)?\b|référence", re.IGNORECASE)


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
    def clocks(self) -> tuple[int, ...]:
        """The cells with the day or time of a row's quotes."""
        return tuple(column.at for column in self.columns if column.clock)

    @cached_property
    def stating(self) -> int | None:
        """The cell that says of each row what its levels are, if any."""
        return stating_column(self.columns, self.sample)


def table_of(columns: Sequence[Column], body: Sequence[Row], *, headed: bool) -> Table:
    """The table of these columns, its locale told from its own numbers (spec 4.2)."""
    sample = tuple(body[:SAMPLED_ROWS])
    columns = _by_values(columns, sample)
    tokens: list[str] = []
    pluses = 0
    is_mm = False
    for row in sample:
        for column in columns:
            cell = row.cells[column.at]
            if cell.value is not None or not cell.text:
                continue
            if column.role in {LEVEL, "coupon"}:
                tokens += numerals(cell.text)
                pluses += cell.text.count("+") if cell.text[-1] == "+" else 0
            elif column.role == SIZE:
                is_mm = is_mm or "mm" in cell.text.lower()
    language = _language(columns)
    prices = any(column.role == LEVEL and column.measure in (None, "price", "price_pct") for column in columns)
    locale, doubts = block_locale(tokens, prices=prices, language=language)
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


def _by_values(columns: Sequence[Column], sample: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, those whose heading has two meanings settled by what they hold (ruling 14).

    `Laufzeit`, `Échéance` over tenors are tenors; `Référence` over bonds, beside the names of the rows, is benchmarks;
    `Curr` over numbers is a face; `Fin. Bid` over `SOFR-15` is no size, nor is `Lot` over 1, 2, 3.
    """
    named = [column.role for column in columns]
    is_named_twice = sum(role in NAMES or role in IDENTIFIERS for role in named) > 1
    settled = []
    for column in columns:
        if column.role == "maturity" and "tenor" not in named and _hold(column, sample, tenor):
            settled.append(replace(column, role="tenor"))
        elif (
            column.role == "description"
            and is_named_twice
            and _REFERRING.match(column.text) is not None
            and _hold(column, sample, bond)
        ):
            settled.append(replace(column, role="benchmark"))
        elif column.role == "currency" and _hold(column, sample, lambda text: text if text[0].isdigit() else None):
            settled.append(replace(column, role=SIZE))
        elif column.role == SIZE and _count(column, sample):
            settled.append(replace(column, role=IGNORED))
        elif column.role == SIZE and column.side is not None and _hold(column, sample, _over_a_curve):
            settled.append(replace(column, role=LEVEL, clear=True))
        else:
            settled.append(column)
    return tuple(settled)


def _count(column: Column, sample: Sequence[Row]) -> bool:
    """Whether a column counts its rows: `Lot` over 1, 2, 3."""
    texts = [text for row in sample if (text := row.cells[column.at].text)]
    return len(texts) >= _COUNTED and texts == [str(at) for at in range(1, len(texts) + 1)]


def _over_a_curve(text: str) -> str | None:
    return text if has_prefix(text) and text[0].isalpha() else None


def _hold(column: Column, sample: Sequence[Row], read: Callable[[str], str | None]) -> bool:
    """Whether a column has texts, and all of them can be read."""
    texts = [text for row in sample if (text := row.cells[column.at].text) and not is_null(text)]
    return bool(texts) and all(map(read, texts))


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
