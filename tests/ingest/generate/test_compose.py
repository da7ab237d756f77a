from __future__ import annotations

import email
from collections import Counter

import pytest

from ingest.generate import pool
from ingest.generate.books import books
from ingest.generate.compose import LARGE, MIX, TEXT_QUOTES, Composed, compose
from ingest.generate.dealers import dealers


@pytest.mark.slow
def test_no_two_mails_are_byte_equal(mails: list[Composed]) -> None:
    assert len({mail.raw for mail in mails}) == len(mails)


def test_another_seed_gives_other_mails(mails: list[Composed]) -> None:
    assert not {mail.raw for mail in mails[:100]} & {compose(12, number).raw for number in range(100)}


def test_mails_made_anew_are_the_same_bytes(mails: list[Composed]) -> None:
    pool._KEPT.clear()
    assert [compose(11, number).raw for number in range(60)] == [mail.raw for mail in mails[:60]]


def test_the_mix_and_the_mean_are_the_stated_ones(mails: list[Composed]) -> None:
    formats = Counter(mail.lines[0]["formats"][0] for mail in mails)
    for form, share in MIX.items():
        assert abs(100 * formats[form] / len(mails) - share) < 3
    means = {"text": TEXT_QUOTES, **pool.QUOTES}
    assert abs(sum(share * means[form] for form, share in MIX.items()) / 100 - 9.2) < 0.05
    assert abs(sum(len(mail.lines) - 1 for mail in mails) / len(mails) - 9.2) < 0.4


def test_the_long_tail_is_as_rare_as_stated(mails: list[Composed]) -> None:
    large = sum(len(mail.raw) > 200_000 for mail in mails)
    assert large <= 5 * LARGE * len(mails)
    assert max(len(mail.raw) for mail in mails) < 20.5e6


def test_all_classes_languages_and_dealers_occur(mails: list[Composed]) -> None:
    assert {mail.lines[0]["asset_classes"][0] for mail in mails} == {book.cls for book in books().values()}
    assert {mail.lines[0]["language"] for mail in mails} == {"en", "de", "fr", "es", "pt"}
    senders = {str(email.message_from_bytes(mail.raw)["From"]).rpartition("@")[2].rstrip(">") for mail in mails}
    assert senders == {dealer.domain for dealer in dealers()}


def test_every_truth_line_is_in_the_gold_form(mails: list[Composed]) -> None:
    kinds = set()
    for mail in mails:
        meta, *quotes = mail.lines
        assert meta["kind"] == "meta"
        assert {line["case"] for line in mail.lines} == {mail.case}
        assert quotes
        for quote in quotes:
            assert quote["kind"] == "quote"
            assert {"part_path", "quote_type", "asset_class", "side", "quote_kind", "description"} <= quote.keys()
            assert {"bid", "ask", "mid", "talk_low", "talk_high"} & quote.keys()
            assert all(isinstance(quote[key], str) for key in ("bid", "ask", "bid_size", "coupon") if key in quote)
            assert None not in quote.values()
            kinds.add(quote["quote_kind"])
    assert kinds == {"market", "axe", "talk", "cover"}
