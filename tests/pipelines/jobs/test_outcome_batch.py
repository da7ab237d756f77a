from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pyarrow as pa
import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from parsers.quote import Quote
from pipelines.jobs.outcome_batch import outcome_batch

Make = Callable[..., MailOutcome]
Positions = Callable[[int], list[pa.Array]]


def test_quotes_stay_with_their_mail(outcome: Make, quote: Quote, positions: Positions) -> None:
    second = replace(quote, bid=Decimal("99.5"))
    none = replace(outcome(), quotes=(), parts=(), rejects=())
    rows = outcome_batch(positions(3), [outcome(quote, second), none, outcome(second)]).to_pylist()
    assert [[each["bid"] for each in row["quotes"]] for row in rows] == [
        [Decimal("98.25"), Decimal("99.5")],
        [],
        [Decimal("99.5")],
    ]
    assert [row["log_offset"] for row in rows] == [0, 1, 2]
    assert [(row["mail"]["quotes"], row["mail"]["parts"], row["mail"]["rejects"]) for row in rows] == [
        (2, 1, 1),
        (0, 0, 0),
        (1, 1, 1),
    ]


def test_every_value_comes_back_as_it_was(outcome: Make, quote: Quote, positions: Positions) -> None:
    (row,) = outcome_batch(positions(1), [outcome()]).to_pylist()
    (got,) = row["quotes"]
    assert got["flags"] == ["ccy_assumed", "size_unit_assumed"]
    assert (got["quote_ts"], got["quote_date"]) == (quote.quote_ts, quote.quote_date)
    assert (got["asset_class"], got["side"], got["mid"]) == ("corp_ig", "two_way", None)
    assert row["rejects"][0] == {
        "level": "row",
        "code": "ROW_NO_PRICE",
        "part_path": "1",
        "locator": "line 8",
        "parser": "mail",
        "detail": "",
        "raw_text": "no bid",
    }


def test_a_lone_surrogate_becomes_a_replacement_character(outcome: Make, quote: Quote, positions: Positions) -> None:
    torn = replace(quote, raw_text="98.25\ud83d", issuer=None)
    (row,) = outcome_batch(positions(1), [outcome(torn)]).to_pylist()
    assert (row["quotes"][0]["raw_text"], row["quotes"][0]["issuer"]) == ("98.25\ufffd", None)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"bid": Decimal("1.123456789")}, id="more decimals than the column has"),
        pytest.param({"bid": Decimal(10) ** 12}, id="more digits than the column has"),
        pytest.param({"quote_ts": None}, id="a required value is missing"),
    ],
)
def test_what_the_columns_do_not_hold_is_refused(
    outcome: Make, quote: Quote, positions: Positions, wrong: dict[str, object]
) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- pyarrow's words for it are its own
        outcome_batch(positions(1), [outcome(replace(quote, **wrong))])
