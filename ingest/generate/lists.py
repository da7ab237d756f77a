"""Text lists that are no two-way runs: axes, BWICs with price talk, covers and trades."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.generate.notation import plain, printed
from ingest.generate.quotes import Level, Quoted, Shown, draw, told, truth
from ingest.generate.runs import drawn

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer

    Lines = tuple[list[str], list[dict[str, Any]]]

# domain.md 4.9: talk of a decade of prices; what is added to it
_TALK = {
    "low {}s": (0, 3), "mid {}s": (4, 6), "high {}s": (7, 9), "low-mid {}s": (3, 5), "mid-high {}s": (5, 7),
}  # fmt: skip
_LIST_CLASSES = {"rmbs_nonagency", "abs", "cmbs", "clo", "cdo_trups", "leveraged_loan"}
_AXE_CLASSES = {"corp_hy", "em_hard_ccy", "frn", "financial_sub"}


def lists_of(dealer: Dealer, book: Book) -> tuple[Callable[[Random, int, Dealer, Book, int], Lines], ...]:
    """What lists this dealer sends of the book; none where he prints no identifiers or writes another language."""
    if dealer.language != "en" or "id" not in dealer.order:
        return ()
    if book.cls in _LIST_CLASSES:
        return talk, covers
    return (axes,) if book.cls in _AXE_CLASSES else ()


def talk(random: Random, seed: int, dealer: Dealer, book: Book, lines: int) -> Lines:
    """A BWIC with the street's talk: a decade's part, `sub 98`, or an area."""
    body, known = (
        [f"{book.titles['en'][0]} BWIC - bids due 11am NY, talk is street, {book.currency}, sizes in mm", ""],
        [],
    )
    for one in drawn(random, seed, book, lines):
        quoted = draw(random, one, book.tables)
        text, low, high = _talk(random)
        body.append(f"{one.ids[0][1]}  {one.named(dealer):<24}  {quoted.bid_size}mm  talk {text}")
        level = Level(_price(book), Decimal(0), None)
        line = truth(quoted, level, _shown(quoted, dealer), _place(body))
        line |= {"quote_kind": "talk", "side": "talk"} | _ends(low, high)
        known.append({key: value for key, value in line.items() if key not in {"bid", "ask_size"}})
    return body, known


def covers(random: Random, seed: int, dealer: Dealer, book: Book, lines: int) -> Lines:
    """Color after a list: covers, and lines that did not trade."""
    body, known = [f"{book.titles['en'][0]} BWIC COLOR - covers, {book.currency}, sizes in mm", ""], []
    for number, one in enumerate(drawn(random, seed, book, lines)):
        quoted = draw(random, one, (_price(book),))
        level = Level(_price(book), quoted.levels[0].bid or quoted.levels[0].ask, None)
        traded = not number or random.random() < 0.85
        price = printed(level.bid or Decimal(0), level.measure, ".")
        end = f"cvr {price}" if traded else "DNT"
        body.append(f"{one.ids[0][1]}  {one.named(dealer):<24}  {quoted.bid_size}mm  {end}")
        if traded:
            line = truth(quoted, level, _shown(quoted, dealer), _place(body)) | {"quote_kind": "cover"}
            known.append({key: value for key, value in line.items() if key != "ask_size"})
    return body, known


def axes(random: Random, seed: int, dealer: Dealer, book: Book, lines: int) -> Lines:
    """One-sided interest under WE BUY and WE SELL."""
    words = dealer.words
    title = random.choice(book.titles["en"])
    body, known = [f"{title} AXES - {book.currency} prices, sizes in mm", ""], []
    found = drawn(random, seed, book, max(2, lines))
    for at, one in enumerate(found):
        buys = at < len(found) // 2
        if at in {0, len(found) // 2}:
            body += ([""] if at else []) + [words["buy"] if buys else words["sell"]]
        drawn_level = draw(random, one, (_price(book),))
        value = drawn_level.levels[0].bid or drawn_level.levels[0].ask
        level = Level(_price(book), value if buys else None, None if buys else value)
        price = printed(value or Decimal(0), level.measure, ".")
        body.append(f"{one.ids[0][1]}  {one.named(dealer):<24}  {price}  {drawn_level.bid_size}mm")
        line = truth(drawn_level, level, _shown(drawn_level, dealer), _place(body)) | {"quote_kind": "axe"}
        size = line.pop("bid_size")
        line.pop("ask_size")
        known.append(line | {"bid_size" if buys else "ask_size": size})
    return body, known


def _talk(random: Random) -> tuple[str, int | None, int | None]:
    draw_of = random.random()
    if draw_of < 0.1:
        high = random.randrange(80, 99)
        return f"sub {high}", None, high
    if draw_of < 0.2:
        low = random.randrange(80, 99)
        return f"{low} area", low, None
    decade = 10 * random.randrange(6, 10)
    words, (first, last) = random.choice(list(_TALK.items()))
    return words.format(decade), decade + first, decade + last


def _ends(low: int | None, high: int | None) -> dict[str, str]:
    both = {"talk_low": low, "talk_high": high}
    return {key: plain(Decimal(value)) for key, value in both.items() if value is not None}


def _price(book: Book) -> Any:
    return next(measure for measure in book.tables if measure.type == "price_pct")


def _shown(quoted: Quoted, dealer: Dealer) -> Shown:
    coupon, maturity = told(quoted.instrument.book)
    return Shown(quoted.instrument.named(dealer), quoted.instrument.ids[:1], coupon, maturity)


def _place(body: list[str]) -> dict[str, Any]:
    return {"part_path": "1", "line": len(body), "raw_text": body[-1]}
