"""What the user's own published sheets say of instruments, as a master file has it (docs/securities.md)."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from parsers.codes import Flag
from parsers.securities.known import TICKER
from parsers.securities.master import COUPON, PRICES
from parsers.values.decimals import decimal_text
from parsers.values.identifiers import KINDS, check, derived, names_an_issue
from pipelines.tables.datafiles import DAY
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from pipelines.tables.store.interface import Store

COLUMNS = (*KINDS, "ticker", "coupon", "maturity", "asset_class", "currency", "unit")
"""Those of a master file that is built, in this order."""
_SAID = ("header", "section", "title", "heading", "sheet", "file", "identifier")
"""The sources of a class that a sheet prints: the dictionary, a form and a dealer's habit are none."""
_OF_SHEETS = f"""
SELECT DISTINCT {", ".join(KINDS)}, ticker, coupon, maturity, asset_class, currency, quote_type,
    list_contains(flags, $assumed) AS assumed
FROM quotes
"""  # noqa: S608 -- constants
_WHERE = (
    "table_idx IS NOT NULL",
    "status = 'accepted'",
    "asset_class <> 'unknown'",
    "list_contains($said, class_source)",
    "NOT list_contains(flags, $conflict)",
)


@dataclass(slots=True)
class Instrument:
    """An instrument, with each value that sheets say of it, by column."""

    said: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    keys: set[tuple[str, str]] = field(default_factory=set)
    """Its identifiers by kind, and the national numbers in its ISINs."""

    @property
    def is_one(self) -> bool:
        """Whether it is one instrument, of one class."""
        return all(len(self.said[name]) <= 1 for name in (*KINDS, "asset_class"))

    def cells(self) -> dict[str, str]:
        """What all sheets say alike."""
        return {name: next(iter(self.said[name])) for name in COLUMNS if len(self.said[name]) == 1}


def instruments(store: Store, since: date) -> tuple[list[Instrument], list[Instrument]]:
    """Those of sheets received since this day (UTC), and those that sheets contradict each other of.

    Raises NothingPublished, TablesDamaged, SchemaDiffers.
    """
    given = {"said": list(_SAID), "conflict": str(Flag.id_conflict), "assumed": str(Flag.ccy_assumed)}
    with published(store, "quotes") as tables:
        tables.narrow("quotes", pc.field(DAY) >= since)
        found = _together(tables.rows(_OF_SHEETS, _WHERE, "ALL", given))
    return [each for each in found if each.is_one], [each for each in found if not each.is_one]


def since_of(today: date, days: int) -> date:
    """The first of so many days, today the last of them."""
    return today - timedelta(days=days - 1)


def as_csv(found: Iterable[Instrument]) -> str:
    """The master file that says so."""
    text = io.StringIO()
    to = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    to.writeheader()
    to.writerows(sorted((each.cells() for each in found), key=lambda cells: [cells.get(name, "") for name in COLUMNS]))
    return text.getvalue()


def _together(rows: Iterable[Mapping[str, Any]]) -> list[Instrument]:
    """The instruments of rows; those that have an identifier in common are of one."""
    by_key: dict[tuple[str, str], Instrument] = {}
    for row in rows:
        own = list(_identifiers(row))
        keys = {*own, *(number for kind, value in own if kind == "isin" and (number := derived(value)) is not None)}
        known = {id(each): each for key in keys if (each := by_key.get(key)) is not None}
        one = max(known.values(), key=lambda each: len(each.keys), default=Instrument())
        for other in known.values():
            if other is not one:
                keys |= other.keys
                for name, values in other.said.items():
                    one.said[name] |= values
        for name, value in (*own, *_terms(row)):
            one.said[name].add(value)
        one.keys |= keys
        by_key |= dict.fromkeys(keys, one)
    return list({id(each): each for each in by_key.values()}.values())


def _identifiers(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for kind in KINDS:
        if row[kind] is not None and check(kind, row[kind]) and names_an_issue(kind, row[kind]):
            yield kind, row[kind]


def _terms(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a row says beside identifiers, as a master file has it."""
    coupon = decimal_text(row["coupon"]) if row["coupon"] is not None else ""
    terms = {
        "asset_class": row["asset_class"],
        "ticker": row["ticker"] if TICKER.fullmatch(row["ticker"] or "") else None,
        "coupon": coupon if COUPON.fullmatch(coupon) else None,
        "maturity": row["maturity"].isoformat() if row["maturity"] is not None else None,
        "currency": None if row["assumed"] else row["currency"],
        "unit": row["quote_type"] if row["quote_type"] in PRICES else None,
    }
    yield from ((name, value) for name, value in terms.items() if value is not None)
