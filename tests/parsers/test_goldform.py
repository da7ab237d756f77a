from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

from parsers.codes import Code, MailState
from parsers.goldform import gold_lines
from parsers.outcome import MailOutcome, Reject
from parsers.quote import Quote


def test_a_line_has_what_the_gold_corpus_has_and_nothing_absent() -> None:
    quote = Quote(
        bid=Decimal("98.25000000"),
        bid_size=Decimal("5000000.00"),
        coupon=Decimal("0E-8"),
        maturity=date(2034, 5, 15),
        message_key="k",
        part_path="2",
        quote_date=date(2026, 11, 18),
        quote_ts=datetime(2026, 11, 18, 14, tzinfo=UTC),
        record_id="r",
    )
    copy = Quote(bid=Decimal("98.25"), message_key="k", part_path="1", duplicate_of="r")
    reject = Reject(level="part", part_path="3", code=Code.IMAGE_ONLY)
    outcome = MailOutcome(
        message_key="k", message_id="m", state=MailState.parsed, quotes=(quote, copy), rejects=(reject,)
    )
    found, refused = (json.loads(line) for line in gold_lines(outcome))
    assert (found["kind"], found["bid"], found["bid_size"], found["coupon"]) == ("quote", "98.25", "5000000", "0")
    assert (found["maturity"], found["part_path"], found["quote_kind"]) == ("2034-05-15", "2", "market")
    assert (found["quote_date"], found["quote_ts"]) == ("2026-11-18", "2026-11-18T14:00:00+00:00")
    assert found.keys().isdisjoint({"ask", "record_id", "message_key", "parser_version", "flags"})
    assert {name: refused[name] for name in ("kind", "level", "part_path", "code")} == {
        "kind": "reject",
        "level": "part",
        "part_path": "3",
        "code": "IMAGE_ONLY",
    }
