"""A body that repeats the attachment's run: the attachment's rows stay, the body's name them (ruling 5)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from parsers.quote import Quote
from parsers.reading import Reading


def marked(readings: Iterable[Reading]) -> tuple[Quote, ...]:
    """The quotes in reading order, those that another part of the mail states too marked `duplicate_of`.

    Equal rows of one part stay: a key knows less of a row than its place does.
    """
    listed = list(readings)
    first: dict[tuple[str, str | None], Quote] = {}
    for reading in sorted(listed, key=lambda reading: reading.part.is_body):
        for quote in reading.quotes:
            first.setdefault(_key(quote), quote)
    return tuple(_marked(quote, first[_key(quote)]) for reading in listed for quote in reading.quotes)


def _key(quote: Quote) -> tuple[str, str | None]:
    return quote.dedupe_key, quote.option_struct


def _marked(quote: Quote, first: Quote) -> Quote:
    return quote if first.part_path == quote.part_path else replace(quote, duplicate_of=first.record_id)
