"""Keys of a record: where it stood, what line it was, and what it says (spec 2.1, 2.8)."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from msgspec.structs import replace

from parsers.quote import Quote
from parsers.values.decimals import decimal_text

_DESCRIBED = "desc:"
_SEPARATOR = "\u001f"
_PUNCTUATION = re.compile(r"[^A-Z0-9]+")


def place_keys(quote: Quote) -> tuple[str, str]:
    """`line_key`, shared by the records of a source line, and `record_id`.

    Both name a place; they are stable over redelivery and reparse, independent of offset and parser version.
    """
    sheet_or_page = quote.sheet if quote.sheet is not None else quote.page
    row_or_line = quote.row if quote.row is not None else quote.line
    place = quote.col if quote.col is not None else quote.char_start
    of_place = _hash(_joined((quote.message_key, quote.part_path, sheet_or_page, quote.table_idx, row_or_line)))
    of_line = of_place.hexdigest()
    of_place.update(_bytes(_joined(("", place, quote.quote_type, quote.tenor))))
    return of_line, of_place.hexdigest()


def apart(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The quotes of a part, those at one place told apart by number: a pasted cell may hold two."""
    seen: Counter[str] = Counter(quote.record_id for quote in quotes)
    if len(seen) == len(quotes):
        return tuple(quotes)
    seen.clear()
    found = []
    for quote in quotes:
        number = seen[quote.record_id]
        seen[quote.record_id] += 1
        own = _hash(_joined((quote.record_id, number))).hexdigest() if number else quote.record_id
        found.append(replace(quote, record_id=own))
    return tuple(found)


def dedupe_key(quote: Quote, instrument: str) -> str:
    """Names what a record says: equal for the same market of an instrument (by its key) sent again on the same day."""
    day = quote.quote_date.isoformat() if quote.quote_date else None
    said = (
        quote.dealer,
        of_one_currency(instrument, quote.currency),
        quote.asset_class,
        quote.quote_type,
        quote.quote_kind,
        quote.tenor,
        day,
    )
    values = (quote.bid, quote.ask, quote.mid, quote.talk_low, quote.talk_high, quote.bid_size, quote.ask_size)
    texts = ["~" if text is None else text for text in said]
    texts += ["~" if value is None else decimal_text(value) for value in values]
    return _hash(_SEPARATOR.join(texts)).hexdigest()


def of_one_currency(instrument: str, currency: str | None) -> str:
    """The instrument, by its key, in a currency; an identifier names one alone, the key of a description none."""
    return f"{instrument}:{currency}" if instrument.startswith(_DESCRIBED) else instrument


def instrument_key(quote: Quote, strike: str | None) -> str:
    """`<id_type>:<instrument_id>`, else a hash of what the row prints of the instrument (spec 2.1, ruling 35).

    No currency is in it: the same bond is printed with it in one mail, and without in another.
    """
    if quote.instrument_id is not None:
        return f"{quote.id_type}:{quote.instrument_id}"
    if quote.ticker or quote.issuer:
        terms = (_canonical(quote.coupon), _maturity(quote), quote.tranche or quote.tenor, strike)
        if any(value is not None for value in terms):
            return _described(_joined(map(folded, (quote.ticker or quote.issuer, *terms))))
    return _described(_joined((folded(quote.description), quote.tenor, strike)))


@lru_cache(maxsize=4096)  # the same bonds come every day
def _described(text: str) -> str:
    return _DESCRIBED + _hash(text).hexdigest()


def _maturity(quote: Quote) -> str | None:
    return quote.maturity.isoformat() if quote.maturity else quote.maturity_text


def _canonical(value: Decimal | None) -> str | None:
    """98.50 and 98.5 are one price."""
    return None if value is None else decimal_text(value)


@lru_cache(maxsize=4096)  # names of bonds and currencies, which come again from line to line
def folded(text: str | None) -> str | None:
    """A name without case, blanks and punctuation."""
    return _PUNCTUATION.sub("", text.upper()) if text else None


def _joined(parts: Iterable[object]) -> str:
    return _SEPARATOR.join(["" if part is None else part if type(part) is str else str(part) for part in parts])


def _hash(text: str) -> hashlib._Hash:
    return hashlib.sha256(_bytes(text))


def _bytes(text: str) -> bytes:
    """Of any text: a damaged sheet name may hold half a surrogate pair."""
    return text.encode("utf-8", "surrogatepass")
