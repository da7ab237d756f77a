"""A dealer out of nowhere: his book, language and habits, and the levels that he quotes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from tests.parsers.wild.books import BOOKS, Book, Instrument, Mode, places_for
from tests.parsers.wild.levels import decimal, fraction, on_grid, ticks


@dataclass(frozen=True)
class Dealer:
    rng: random.Random
    book: Book
    language: str
    mark: str  # of decimals
    tick_style: str
    fraction_style: str
    one_sided: float  # share of rows


@dataclass(frozen=True)
class Level:
    """One measure of one instrument, with its texts; a side that is not quoted is None."""

    mode: Mode
    bid: Fraction | None
    ask: Fraction | None
    bid_text: str
    ask_text: str
    mid: Fraction | None = None


def dealer_of(seed: int, of: str | None = None) -> Dealer:
    """The dealer of a seed; `of` a class, where one is asked for."""
    rng = random.Random(seed)
    book = rng.choice([book for book in BOOKS if of in {None, book.code}])
    language = rng.choice(book.languages)
    return Dealer(
        rng=rng,
        book=book,
        language=language,
        mark="," if language != "en" and rng.random() < 0.75 else ".",
        tick_style=rng.choice(("plus", "digits", "quote")),
        fraction_style=rng.choice(("space", "dash", "glyph")),
        one_sided=rng.choice((0, 0.1)),
    )


def instruments(dealer: Dealer, count: int) -> list[Instrument]:
    """So many that no two read alike."""
    found: dict[str, Instrument] = {}
    for _ in range(count * 20):
        made = dealer.book.make(dealer.rng)
        found.setdefault(made.text, made)
        if len(found) == count:
            break
    return list(found.values())


def level(dealer: Dealer, mode: Mode, *, both: bool = False) -> Level:
    rng = dealer.rng
    first = on_grid(rng, mode.low, mode.high, mode.step)
    width = max(on_grid(rng, *mode.width, mode.step), Fraction(mode.step))
    bid, ask = (first + width, first) if mode.falling else (first, first + width)
    bid_text, ask_text = printed(dealer, mode, bid, ask)
    missing = None if both or rng.random() >= dealer.one_sided else rng.choice(("bid", "ask"))
    return Level(
        mode,
        None if missing == "bid" else bid,
        None if missing == "ask" else ask,
        "" if missing == "bid" else bid_text,
        "" if missing == "ask" else ask_text,
    )


def printed(dealer: Dealer, mode: Mode, *values: Fraction) -> list[str]:
    if mode.form == "ticks":
        return [ticks(value, dealer.tick_style) for value in values]
    if mode.form == "eighths":
        return [fraction(value, dealer.fraction_style) for value in values]
    return [decimal(value, places_for(mode, *values), dealer.mark) for value in values]


def truth(instrument: Instrument, quoted: Level, book: Book, ids: tuple[str, ...]) -> dict[str, object]:
    """A line of the gold form; `ids` are the identifiers that the mail prints."""
    number = next(
        (
            getattr(instrument, name)
            for name in ("isin", "cusip", "loanx_id")
            if name in ids and getattr(instrument, name)
        ),
        None,
    )
    found = {
        "kind": "quote",
        "instrument_id": number,
        "description": instrument.text,
        "asset_class": book.code,
        "quote_type": quoted.mode.quote_type,
        "tenor": instrument.tenor,
        "bid": as_text(quoted.bid),
        "ask": as_text(quoted.ask),
        "mid": as_text(quoted.mid),
    }
    sides = [name for name in ("bid", "ask") if name in found and found[name] is not None]
    found["side"] = "two_way" if len(sides) == 2 else "mid" if quoted.mid is not None else sides[0]
    found["quote_kind"] = "market"
    if instrument.coupon is not None and "/" not in instrument.coupon:
        found["coupon"] = instrument.coupon
    return {name: value for name, value in found.items() if value is not None}


def as_text(value: Fraction | None) -> str | None:
    return None if value is None else decimal(value, next(n for n in range(12) if (value * 10**n).denominator == 1))
