from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import asdict

from parsers.quote import Quote
from pipelines.readers.explain import Explanation, spans
from pipelines.readers.show import explanation_lines, price_line, price_lines, reject_line, reject_lines

RECEIVED = datetime(2025, 11, 3, 10, 0, 5, tzinfo=UTC)
POSITION = {"topic": "mails", "log_partition": 0, "log_offset": 12, "received_ts": RECEIVED}


def row_of(quote: Quote, **changes: object) -> dict[str, object]:
    return {**asdict(quote), **POSITION, **changes}


def test_a_price_line_says_where_the_price_stands(quote: Quote) -> None:
    in_cell = price_line(row_of(quote, part_path="2", sheet="EUR IG", cell="D17"))
    in_text = price_line(row_of(quote, line=8))
    in_table = price_line(row_of(quote, page=2, table_idx=1, row=31, col=4))
    assert in_cell["source"] == "mails-0@12 part 2 EUR IG!D17"
    assert in_text["source"] == "mails-0@12 part 1 line 8"
    assert in_table["source"] == "mails-0@12 part 1 page 2 table 1 row 31 column 4"
    assert (in_text["instrument"], in_text["bid"], in_text["ask"]) == (
        "XS2641318121 ACME 4.25 05/34",
        quote.bid,
        quote.ask,
    )


def test_the_quotes_of_a_curve_are_told_apart(quote: Quote) -> None:
    line = price_line(row_of(quote, isin=None, description="Lumetric Corp", tenor="5Y"))
    assert line["instrument"] == "Lumetric Corp 5Y"


def test_a_tenor_that_the_description_has_is_not_told_twice(quote: Quote) -> None:
    line = price_line(row_of(quote, isin=None, description="LUMETRIC 5y", tenor="5Y"))
    assert line["instrument"] == "LUMETRIC 5y"
    line = price_line(row_of(quote, isin=None, description="EURUSD 1M ATM", tenor="1M", option_struct="atm"))
    assert line["instrument"] == "EURUSD 1M ATM"


def test_a_price_line_has_the_doubts_about_it(quote: Quote) -> None:
    line = price_line(row_of(quote, flags=["crossed_market", "inferred_handle"]))
    assert line["doubts"] == "crossed_market, inferred_handle"
    assert not price_line(row_of(quote, flags=[]))["doubts"]


def test_kind_and_status_have_columns_where_a_price_is_no_market_or_not_accepted(quote: Quote) -> None:
    market, axe, doubted = row_of(quote), row_of(quote, quote_kind="axe"), row_of(quote, status="review")
    assert {"kind", "status"} & set(price_lines([market])[0]) == set()
    assert [line["kind"] for line in price_lines([market, axe])] == ["market", "axe"]
    assert "status" not in price_lines([market, axe])[0]
    assert [line["status"] for line in price_lines([market, doubted])] == ["accepted", "review"]
    assert "kind" not in price_lines([market, doubted])[0]
    assert price_lines([]) == []


def test_price_talk_is_shown_as_a_range(quote: Quote) -> None:
    line = price_line(row_of(quote, bid=None, ask=None, talk_low=quote.bid, talk_high=quote.ask))
    assert line["mid or talk"] == "98.25-98.75"


def test_carets_stand_below_the_levels_in_rows_of_cells_too(quote: Quote) -> None:
    row = row_of(quote)
    lines = list(explanation_lines(Explanation(row, spans(row), 0, 100, True, "is the one")))
    text = next(line for line in lines if line.startswith("text"))
    carets = lines[lines.index(text) + 1]
    assert "".join(c for c, mark in zip(text, carets, strict=False) if mark == "^") == "98.2598.75"


def test_what_a_mail_says_cannot_steer_the_terminal(quote: Quote) -> None:
    evil = "run \x1b[2J\u202e\u2066"
    row = row_of(quote, subject=evil, raw_text=evil, sender=evil, file_name=evil, description=evil, dealer=evil)
    shown = "\n".join(explanation_lines(Explanation(row, {}, 1, None, False, "cannot be read")))
    assert not {"\x1b", "\u202e", "\u2066"} & set(shown)
    assert "in the log 2 times" in shown


def test_a_reject_line_says_where_and_why() -> None:
    row = {
        "level": "row",
        "code": "ROW_NO_PRICE",
        "part_path": "2",
        "locator": "EUR IG!D17",
        "detail": "",
        "raw_text": "x" * 99,
        "sender": "desk@dealer.example",
        "subject": None,
    }
    line = reject_line({**POSITION, **row})
    assert reject_lines([{**POSITION, **row}]) == [line]
    assert (line["source"], line["code"]) == ("mails-0@12 part 2 EUR IG!D17", "ROW_NO_PRICE")
    assert line["mail"] == "desk@dealer.example: no subject"
    assert line["text"] == "x" * 99  # a table cuts it where it must
