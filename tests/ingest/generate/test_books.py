from __future__ import annotations

import pytest

from ingest.generate.books import Book, Measure, books, measures
from ingest.generate.data import table
from parsers.codes import AssetClass, QuoteType

BOOKS = pytest.mark.parametrize("book", books().values(), ids=lambda book: book.key)


def test_the_books_hold_70_000_instruments_of_all_43_classes() -> None:
    assert sum(book.instruments for book in books().values()) == 70_000
    assert {book.cls for book in books().values()} == set(AssetClass.__members__) - {"unknown"}


@BOOKS
def test_a_book_speaks_the_words_of_the_domain_and_is_named_in_each_language(book: Book) -> None:
    assert {measure.type for measure in (*book.runs, *book.tables)} <= QuoteType.__members__.keys()
    for language in book.titles:
        headers = table("words")[language]["headers"]
        assert all(measure.head in headers for measure in book.tables), language
        assert all(measure.about in table("words")[language]["notes"] for measure in book.runs), language


@pytest.mark.parametrize("measure", measures().values(), ids=list(measures()))
def test_a_range_has_room_for_its_width(measure: Measure) -> None:
    low, high = measure.limits
    assert low + 3 * measure.widest < high


def test_a_list_of_products_has_as_many_instruments_as_its_choices_make() -> None:
    book = books()["tba"]
    assert book.instruments == len(book.listed) * len(book.coupons) * len(book.months)
