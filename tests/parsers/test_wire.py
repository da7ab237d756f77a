from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from msgspec.structs import replace

from parsers.codes import AssetClass, Code, Flag, MailState, PartState, QuoteKind
from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.quote import Quote
from parsers.wire import WireError, from_wire, to_wire

OUTCOME = MailOutcome(
    message_key="k",
    message_id="m",
    state=MailState.parsed,
    sent_at=datetime(2026, 11, 18, 13, 33, tzinfo=UTC),
    subject="Kurse – 98½ \u202e",
    size_bytes=7,
    parts=(PartOutcome(part_path="1", state=PartState.rejected, code=Code.IMAGE_ONLY, content_type="application/pdf"),),
    quotes=(
        Quote(
            message_key="k",
            part_path="1",
            bid=Decimal("98.25000000"),
            coupon=Decimal(0),
            maturity=date(2034, 5, 15),
            asset_class=AssetClass("corp_ig"),
            quote_kind=QuoteKind.axe,
            flags=(Flag.crossed, Flag.wide),
            is_flat=True,
            confidence=Decimal("0.850"),
            page=3,
        ),
    ),
    rejects=(Reject(level="row", code=Code.ROW_NO_PRICE, locator="line 8"),),
)


def test_an_outcome_survives_the_wire() -> None:
    found = from_wire(to_wire(OUTCOME))
    assert found == OUTCOME
    assert str(found.quotes[0].bid) == "98.25000000"
    assert type(found.quotes[0].asset_class) is AssetClass


def test_defaults_and_decimals_are_not_spelled_as_json_would() -> None:
    quote = json.loads(to_wire(OUTCOME))["quotes"][0]
    assert quote["bid"] == "98.25000000"
    assert quote["coupon"] == "0"
    assert "ask" not in quote


def test_half_a_surrogate_pair_comes_out_as_a_question_mark() -> None:
    torn = replace(OUTCOME, subject="Kurse \ud83d", quotes=(replace(OUTCOME.quotes[0], sheet="\udc00"),))
    found = from_wire(to_wire(torn))
    assert found == replace(OUTCOME, subject="Kurse ?", quotes=(replace(OUTCOME.quotes[0], sheet="?"),))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff",
        b'{"message_key":"k","message_id":"m","state":"happy"}',
        b'{"message_key":1,"message_id":"m","state":"parsed"}',
        b'{"message_key":"k","message_id":"m","state":"parsed","size_bytes":true}',
        b'{"message_key":"k","message_id":"m","state":"parsed","quotes":[{"bid":"ten"}]}',
        b'{"message_key":"k","message_id":"m","state":"parsed","quotes":[{}]}',
        b'{"message_key":"k","message_id":"m","state":"parsed","__class__":"os.system"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_outcome_is_not_believed(data: bytes) -> None:
    with pytest.raises(WireError):
        from_wire(data)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e100000000", "1e-100000000", "0e100000000", "1e40"])
def test_a_number_that_nobody_could_write_down_is_not_believed(number: str) -> None:
    data = to_wire(OUTCOME)
    assert b'"98.25000000"' in data
    with pytest.raises(WireError, match="number"):
        from_wire(data.replace(b"98.25000000", number.encode()))


def test_objects_are_counted_before_they_take_memory() -> None:
    head = b'{"message_key":"k","message_id":"m","state":"parsed","rejects":['
    with pytest.raises(WireError, match="objects"):
        from_wire(head + b",".join([b'{"level":"row","code":"ROW_NO_PRICE"}'] * 400_001) + b"]}")


def test_braces_within_texts_are_no_objects() -> None:
    refused = Reject(level="row", code=Code.ROW_NO_PRICE, raw_text="{" * 500_000)
    outcome = replace(OUTCOME, rejects=(refused,))
    assert from_wire(to_wire(outcome)) == outcome
