"""Dealers and their habits: data/dealers.toml says what each habit is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ingest.generate.books import Book, books
from ingest.generate.data import table


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealer:
    """A sender and how he writes."""

    name: str
    domain: str
    people: tuple[str, ...]
    phone: str
    offset: str  # of the Date header
    language: str
    books: tuple[str, ...]
    order: str
    gap: int
    heading: str
    dates: str  # strftime
    number: int = 0  # which of several words he uses
    sizes: str = ""
    shorthand: bool = False
    columns: bool = False
    sections: bool = False
    footer: bool = False
    disclaimer: int | None = None
    decimal: str = "."
    two_rows: bool = False
    pairs: bool = False
    size_pair: bool = False
    currency: bool = False
    total: bool = False
    chg: bool = False
    null: str = ""

    @property
    def words(self) -> dict[str, Any]:
        """His language's."""
        return dict(table("words")[self.language])

    def word(self, choices: str | list[Any]) -> Any:
        """The one of several words for a thing that he always uses."""
        return choices if isinstance(choices, str) else choices[self.number % len(choices)]

    def column(self, name: str) -> str:
        """His header of a column."""
        return str(self.word(self.words["columns"].get(name) or table("words")["en"]["columns"][name]))


@cache
def dealers() -> tuple[Dealer, ...]:
    """All dealers."""
    return tuple(_dealer(number, entry) for number, entry in enumerate(table("dealers")["dealers"]))


def _dealer(number: int, entry: dict[str, Any]) -> Dealer:
    habits: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Dealer(number=number, **habits)


@cache
def writers() -> tuple[tuple[tuple[Dealer, Book], ...], tuple[int, ...]]:
    """Every dealer with each book he quotes, and how often that is written about.

    A book's weight is shared by its dealers, so that the classes' shares do not hang on how many deal in them.
    """
    pairs = tuple((dealer, books()[key]) for dealer in dealers() for key in dealer.books)
    quoted = [book.key for _, book in pairs]
    return pairs, tuple(60 * book.weight // quoted.count(book.key) for _, book in pairs)
