from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from random import Random

from ingest.generate.compose import Composed
from ingest.generate.kinds import KINDS
from ingest.generate.market import dealers
from ingest.generate.runs import run, signature


def test_what_the_truth_tells_stands_on_its_line(mails: list[Composed]) -> None:
    checked = 0
    for mail in mails:
        meta, *quotes = mail.lines
        if meta["formats"] == ["text"]:
            message = email.message_from_bytes(mail.raw, EmailMessage, policy=email.policy.default)
            lines = message.get_content().splitlines()
            for quote in quotes:
                assert lines[quote["line"] - 1] == quote["raw_text"]
                assert quote.get("instrument_id", quote["description"].split()[0]) in quote["raw_text"]
                checked += 1
    assert checked > 3000


def test_a_muni_run_leads_with_the_quantity() -> None:
    dealer = next(dealer for dealer in dealers() if "us_muni" in dealer.classes)
    lines, quotes = run(Random(1), 5, dealer, KINDS["us_muni", "USD"], 4)
    assert len(quotes) == 4
    for quote in quotes:
        assert lines[quote["line"] - 1].startswith(str(int(quote["bid_size"]) // 1000))


def test_the_signature_ends_the_body_with_the_dealers_disclaimer_if_he_has_one() -> None:
    with_one = next(dealer for dealer in dealers() if dealer.disclaimer)
    without = next(dealer for dealer in dealers() if not dealer.disclaimer)
    assert signature(with_one, "Ann")[:3] == ["-- ", "Ann", with_one.name]
    assert len(signature(with_one, "Ann")[-1]) > 200
    assert signature(without, "Ann")[-1] == without.phone
