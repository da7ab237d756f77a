from __future__ import annotations

import pytest

from ingest.generate.books import books
from ingest.generate.dealers import Dealer, dealers, writers


@pytest.mark.parametrize("dealer", dealers(), ids=lambda dealer: dealer.domain)
def test_a_dealer_quotes_books_that_have_titles_in_his_language_and_is_nobody_real(dealer: Dealer) -> None:
    assert dealer.domain.endswith(".example")
    assert all(dealer.language in books()[key].titles for key in dealer.books)


def test_every_book_has_a_dealer_and_five_languages_are_written() -> None:
    assert {key for dealer in dealers() for key in dealer.books} == set(books())
    assert {dealer.language for dealer in dealers()} == {"en", "de", "fr", "es", "pt"}


def test_no_two_dealers_have_the_same_habits() -> None:
    habits = {(d.language, d.order, d.gap, d.sizes, d.heading, d.dates, d.null, d.number % 6) for d in dealers()}
    assert len(habits) == len(dealers())


def test_a_books_share_does_not_hang_on_how_many_deal_in_it() -> None:
    pairs, weights = writers()
    shares: dict[str, int] = {}
    for (_, book), weight in zip(pairs, weights, strict=True):
        shares[book.key] = shares.get(book.key, 0) + weight
    assert all(abs(share / books()[key].weight - 60) <= 6 for key, share in shares.items())
