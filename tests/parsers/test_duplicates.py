from __future__ import annotations

from datetime import UTC, date, datetime

from msgspec.structs import replace

from parsers.codes import PartState
from parsers.documents import kinds
from parsers.duplicates import marked
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.part import Envelope, Part
from parsers.quote import Quote
from parsers.reading import Reading

ENVELOPE = Envelope(fields=Fields(()), facts=Facts())


def reading(path: str, *keys: str, is_body: bool = False) -> Reading:
    """A part with a quote for each key."""
    part = Part(path=path, envelope=ENVELOPE, content_type=kinds.TEXT, is_body=is_body)
    quotes = tuple(
        Quote(message_key="k", part_path=path, instrument_key=key, record_id=f"{path}:{number}")
        for number, key in enumerate(keys)
    )
    return Reading(part=part, state=PartState.parsed, quotes=quotes)


def copies(*readings: Reading) -> dict[str, str | None]:
    return {quote.record_id: quote.duplicate_of for quote in marked(readings)}


def test_the_body_names_the_attachments_row_wherever_it_stands() -> None:
    body, file = reading("1", "a", "b", is_body=True), reading("2", "b", "c")
    expected = {"1:0": None, "1:1": "2:0", "2:0": None, "2:1": None}
    assert copies(body, file) == copies(file, body) == expected


def test_of_two_attachments_the_first_is_named() -> None:
    assert copies(reading("2", "a"), reading("3", "a")) == {"2:0": None, "3:0": "2:0"}


def test_equal_rows_of_one_part_stay() -> None:
    assert copies(reading("1", "a", "a")) == {"1:0": None, "1:1": None}


def test_two_option_structures_at_one_strike_are_no_copies() -> None:
    call = reading("2", "a")
    put = replace(
        reading("3", "a"), quotes=tuple(replace(quote, option_struct="put") for quote in reading("3", "a").quotes)
    )
    assert copies(call, put) == {"2:0": None, "3:0": None}


def test_reading_order_is_kept_and_nothing_else_is_changed() -> None:
    body, file = reading("1", "a", is_body=True), reading("2", "a")
    found = marked([body, file])
    assert [replace(quote, duplicate_of=None) for quote in found] == [*body.quotes, *file.quotes]


def test_a_copy_that_prints_its_day_is_one_all_the_same_and_the_quote_of_another_day_is_none() -> None:
    def dated(one: Reading, day: int, at: datetime | None = None) -> Reading:
        return replace(
            one, quotes=tuple(replace(quote, quote_date=date(2026, 11, day), as_of_ts=at) for quote in one.quotes)
        )

    printed = dated(reading("2", "a"), 19, datetime(2026, 11, 19, tzinfo=UTC))
    assert copies(dated(reading("1", "a", is_body=True), 20), printed)["1:0"] == "2:0"
    later = dated(reading("3", "a"), 20, datetime(2026, 11, 20, tzinfo=UTC))
    assert copies(printed, later)["3:0"] is None


def test_what_is_written_alike_is_one_instrument_where_only_one_part_tells_its_ticker() -> None:
    body, file = (
        replace(read, quotes=tuple(replace(quote, description=text) for quote in read.quotes))
        for read, text in ((reading("1", "a", is_body=True), "ABC 5 03/34"), (reading("2", "b"), "Abc 5  03/34"))
    )
    assert copies(body, file) == {"1:0": "2:0", "2:0": None}
