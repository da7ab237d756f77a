"""The market as data: measures, and books: an asset class in one currency or market."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cache
from typing import Any

from ingest.generate.data import table

_ABOUT = {"px32": "px32", "yield": "yield", "ytw": "yield", "real": "real", "discount": "discount"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A kind of level with its range; `low`, `high` and `tick` in the unit of the quote type. See data/levels.toml."""

    type: str
    low: Decimal
    high: Decimal
    tick: Decimal
    widest: int  # ticks between bid and ask
    head: str
    text: str = "{}"  # around a pair in a run
    note: str = ""
    notation: str = "decimal"
    benchmark: str | None = None
    bench_bond: bool = False  # the benchmark is a bond, named beside the level
    signed: bool = False  # the sign is part of the pair: MS+31/28, MS-2/-5
    down: bool = False  # the bid is the higher number

    @property
    def places(self) -> int:
        """Decimals that are printed."""
        return -int(self.tick.normalize().as_tuple().exponent) if self.tick % 1 else 0

    @property
    def about(self) -> str:
        """The key of the words that tell what the levels are."""
        return self.note or _ABOUT.get(self.head) or ("price" if self.type == "price_pct" else "other")

    @property
    def limits(self) -> tuple[int, int]:
        """The range in ticks."""
        return int(self.low / self.tick), int(self.high / self.tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What data/books.toml says of one."""

    key: str
    cls: str
    currency: str
    ids: tuple[str, ...]
    name: str
    runs: tuple[Measure, ...]
    tables: tuple[Measure, ...]
    titles: dict[str, list[str]]
    columns: tuple[str, ...]
    first: int  # number of its first instrument in the market
    instruments: int
    weight: int = 1
    issuer: str = ""
    listed: tuple[str, ...] = ()
    reference: str = ""
    coupon: tuple[Decimal, Decimal] = (Decimal("1.5"), Decimal("6.5"))
    coupons: tuple[str, ...] = ()
    zero: bool = False
    day: int = 0
    years: tuple[int, int] = (1, 25)
    margin: tuple[int, int, int] = (45, 140, 1)
    tranches: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    tenors: tuple[str, ...] = ()
    fixed_tenor: str | None = None
    tenor_after: bool = False  # printed after the name, though all are of one
    grid: str = ""
    rows: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    option: str | None = None
    quantity_first: bool = False  # 500 CALIF ST GO 5s 34 3.45/3.40
    size_unit: int = 1_000_000
    size_word: str = "mm"
    size_kind: str = ""
    size_currency: str = ""
    sizes: tuple[int, ...] = (1, 2, 3, 5, 5, 10)
    sectors: str = field(default="")


@cache
def measures() -> dict[str, Measure]:
    """All of data/levels.toml by name."""
    numbers = ("low", "high", "tick")
    return {
        name: Measure(**entry | {key: Decimal(entry[key]) for key in numbers})
        for name, entry in table("levels").items()
    }


@cache
def books() -> dict[str, Book]:
    """All books by key."""
    made: dict[str, Book] = {}
    first = 0
    for entry in table("books")["books"]:
        book = _book(entry, first)
        made[book.key], first = book, first + book.instruments
    return made


def _book(entry: dict[str, Any], first: int) -> Book:
    known = {one.name for one in fields(Book)}
    plain: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items() if key in known
    }
    for key in ("runs", "tables"):
        plain[key] = tuple(measures()[name] for name in entry[key])
    if "coupon" in entry:
        plain["coupon"] = tuple(Decimal(bound) for bound in entry["coupon"])
    if "listed" in entry:
        plain["instruments"] = _listed_count(entry)
    return Book(cls=entry["class"], first=first, **plain)


def _listed_count(entry: dict[str, Any]) -> int:
    count = len(entry["listed"])
    for key in ("coupons", "months", "tranches", "tenors"):
        count *= len(entry.get(key, (None,)))
    return count
