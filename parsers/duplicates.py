"""A body that repeats the attachment's run: the attachment's rows stay, the body's name them (ruling 5)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from parsers.quote import Quote
from parsers.quotes.keys import folded, of_one_currency
from parsers.reading import Reading


def marked(readings: Iterable[Reading]) -> tuple[Quote, ...]:
    """The quotes in reading order, those that another part of the mail states too marked `duplicate_of`.

    Equal rows of one part stay: a key knows less of a row than its place does.
    """
    listed = list(readings)
    if len([reading for reading in listed if reading.quotes]) < 2:
        return tuple(quote for reading in listed for quote in reading.quotes)
    first: dict[tuple[object, ...], list[Quote]] = {}
    for reading in sorted(listed, key=lambda reading: reading.part.is_body):
        for quote in reading.quotes:
            alike = [first.setdefault(key, []) for key in _keys(quote)]
            if not any(_is_of_one_day(quote, other) for others in alike for other in others):
                for others in alike:
                    others.append(quote)
    return tuple(
        _marked(quote, (other for key in _keys(quote) for other in first[key]))
        for reading in listed
        for quote in reading.quotes
    )


def _keys(quote: Quote) -> tuple[tuple[object, ...], ...]:
    """What a row says, without its day: a part may print it, and its copy not.

    Without an identifier the instrument is also what is written of it, for a table may not tell its ticker.
    """
    said = (
        quote.dealer,
        quote.asset_class,
        quote.quote_type,
        quote.quote_kind,
        quote.tenor,
        quote.option_struct,
        quote.bid,
        quote.ask,
        quote.mid,
        quote.talk_low,
        quote.talk_high,
        quote.bid_size,
        quote.ask_size,
    )
    keyed = (of_one_currency(quote.instrument_key, quote.currency), *said)
    if quote.instrument_id is not None or quote.description is None:
        return (keyed,)
    return keyed, (folded(quote.description), quote.currency, *said)


def _is_of_one_day(quote: Quote, other: Quote) -> bool:
    return quote.quote_date == other.quote_date or _is_dated(quote) != _is_dated(other)


def _is_dated(quote: Quote) -> bool:
    """Whether the document prints its time."""
    return quote.as_of_ts is not None or quote.quote_ts_source == "text"


def _marked(quote: Quote, alike: Iterable[Quote]) -> Quote:
    first = next(other for other in alike if _is_of_one_day(quote, other))
    return quote if first.part_path == quote.part_path else replace(quote, duplicate_of=first.record_id)
