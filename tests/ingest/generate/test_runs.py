from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from random import Random

import pytest

from ingest.generate.books import Book, books
from ingest.generate.compose import Composed
from ingest.generate.dealers import Dealer, dealers, writers
from ingest.generate.runs import drawn, heading, run


def test_what_the_truth_tells_stands_on_its_line(mails: list[Composed]) -> None:
    checked = 0
    for mail in mails:
        meta, *quotes = mail.lines
        if meta["formats"] == ["text"]:
            message = email.message_from_bytes(mail.raw, EmailMessage, policy=email.policy.default)
            lines = message.get_content().splitlines()
            for quote in quotes:
                assert quote["raw_text"].split() == lines[quote["line"] - 1].split()
                checked += 1
    assert checked > 6000


@pytest.mark.parametrize(("dealer", "book"), writers()[0], ids=lambda one: getattr(one, "key", None) or one.domain)
def test_every_dealer_writes_a_run_of_each_of_his_books(dealer: Dealer, book: Book) -> None:
    lines, quotes = run(Random(1), 5, dealer, book, 6)
    assert quotes
    for quote in quotes:
        line = lines[quote["line"] - 1]
        assert line == quote["raw_text"]
        assert quote["description"] in line
        assert quote.get("instrument_id", "") in line


def test_a_muni_run_leads_with_the_quantity() -> None:
    dealer = next(dealer for dealer in dealers() if "munis" in dealer.books)
    lines, quotes = run(Random(1), 5, dealer, books()["munis"], 4)
    assert len(quotes) == 4
    for quote in quotes:
        assert lines[quote["line"] - 1].startswith(str(int(quote.get("bid_size") or quote["ask_size"]) // 1000))


def test_a_heading_tells_currency_and_unit_of_sizes() -> None:
    for dealer, book in writers()[0]:
        text = heading(Random(1), dealer, book, sizes=True).lower()
        assert book.currency.lower() in text
        assert any(word in text for word in ("mm", "mio", "million", "shares", "quantity")), text


def test_groups_have_headings_and_withdrawn_lines_have_no_truth() -> None:
    dealer = next(dealer for dealer in dealers() if dealer.sections)
    book = books()["hy_usd"]
    off = 0
    for seed in range(60):
        lines, quotes = run(Random(seed), seed, dealer, book, 8)
        withdrawn = [number for number, line in enumerate(lines, 1) if line.endswith("  off")]
        assert not {quote["line"] for quote in quotes} & set(withdrawn)
        off += len(withdrawn)
        assert sum(line.isupper() and not any(letter.isdigit() for letter in line) for line in lines[1:]) == 2
    assert off


def test_one_name_is_drawn_once() -> None:
    named = [one.words for one in drawn(Random(1), 5, books()["hy_usd"], 400)]
    assert len(named) == len(set(named))
