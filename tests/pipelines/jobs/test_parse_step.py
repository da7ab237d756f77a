from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from parsers.quote import Quote
from parsers.quotes.keys import dedupe_key
from parsers.sandbox.failures import StartFailed
from pipelines.jobs.parse_step import Parser, parse_batches

RECEIVED = datetime(2025, 11, 4, 23, 59, tzinfo=UTC)
Make = Callable[..., MailOutcome]


def batch(*mails: bytes | None) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {
            "topic": ["mails"] * len(mails),
            "log_partition": pa.array([1] * len(mails), pa.int32()),
            "log_offset": list(range(len(mails))),
            "received_ts": pa.array([RECEIVED] * len(mails), pa.timestamp("us", "UTC")),
            "value": pa.array(mails, pa.binary()),
            "is_claim": [mail is not None and mail.startswith(b"claim") for mail in mails],
        }
    )


def parsed(parse: Callable[[bytes], MailOutcome], *mails: bytes | None) -> list[dict[str, Any]]:
    parser = Parser(parse, lambda value: parse(b"the mail of " + value), "1.0.0")
    return [row for out in parse_batches(parser, iter([batch(*mails)])) for row in out.to_pylist()]


def test_a_claim_is_not_parsed_but_the_mail_that_it_stands_for(outcome: Make) -> None:
    seen: list[bytes] = []

    def parse(mail: bytes) -> MailOutcome:
        seen.append(mail)
        return outcome()

    assert len(parsed(parse, b"a mail", b"claim 1")) == 2
    assert seen == [b"a mail", b"the mail of claim 1"]


def test_a_mail_the_parser_fails_on_costs_its_own_row_and_no_other(outcome: Make) -> None:
    def parse(mail: bytes) -> MailOutcome:
        if mail == b"poison":
            raise RecursionError("too deep")
        return outcome()

    rows = parsed(parse, b"good", b"poison", b"good")
    assert [row["mail"]["state"] for row in rows] == ["parsed", "rejected", "parsed"]
    assert rows[1]["rejects"][0]["code"] == "PARSER_ERROR"
    assert "too deep" in rows[1]["rejects"][0]["detail"]
    assert rows[1]["parser_version"] == "1.0.0"
    assert [row["log_offset"] for row in rows] == [0, 1, 2]


def test_an_outcome_that_does_not_fit_its_columns_costs_its_own_row_and_no_other(outcome: Make, quote: Quote) -> None:
    too_fine = outcome(replace(quote, bid=Decimal("1.1234567890123")))
    rows = parsed(lambda mail: too_fine if mail == b"poison" else outcome(), b"good", b"poison", b"good")
    assert [(row["mail"]["state"], len(row["quotes"])) for row in rows] == [
        ("parsed", 1),
        ("rejected", 0),
        ("parsed", 1),
    ]
    assert [row["log_offset"] for row in rows] == [0, 1, 2]


def test_a_quote_without_a_time_gets_the_time_of_receipt_and_a_key_to_match(outcome: Make, quote: Quote) -> None:
    undated = replace(quote, quote_ts=None, quote_date=None, quote_ts_source="received")
    (row,) = parsed(lambda _: outcome(undated, quote), b"a mail")
    late, dated = row["quotes"]
    assert (late["quote_ts"], late["quote_date"], late["quote_ts_source"]) == (RECEIVED, date(2025, 11, 4), "received")
    assert late["dedupe_key"] == dedupe_key(replace(undated, quote_date=date(2025, 11, 4)), undated.instrument_key)
    assert (dated["quote_ts"], dated["dedupe_key"]) == (quote.quote_ts, quote.dedupe_key)


def test_a_record_without_a_value_is_an_empty_mail(outcome: Make) -> None:
    seen: list[bytes] = []

    def parse(mail: bytes) -> MailOutcome:
        seen.append(mail)
        return outcome()

    assert len(parsed(parse, None, b"")) == 2
    assert seen == [b"", b""]


def test_a_parser_that_cannot_start_is_no_mail_s_fault_and_fails_the_run() -> None:
    def parse(_: bytes) -> MailOutcome:
        raise StartFailed("no memory")

    with pytest.raises(StartFailed):
        parsed(parse, b"good")
