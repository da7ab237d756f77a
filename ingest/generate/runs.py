"""Runs: the lines of quotes in a text body, in a dealer's own layout."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.generate.data import table as names
from ingest.generate.instruments import instrument
from ingest.generate.notation import pair, printed
from ingest.generate.quotes import Level, Quoted, Shown, draw, told, truth

if TYPE_CHECKING:
    from random import Random

    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer
    from ingest.generate.instruments import Instrument

WITHDRAWN = 0.02  # of lines of dealers who group them: `off` instead of a level


def drawn(random: Random, seed: int, book: Book, count: int) -> list[Instrument]:
    """Different instruments of a book; a name that stands for two is taken once."""
    numbers = random.sample(range(book.instruments), min(count, book.instruments))
    found = [instrument(seed, book.key, number) for number in numbers]
    if book.listed or book.tenors:
        found.sort(key=lambda one: (one.ticker, numbers_of(book, one)))
    named = {(one.ticker, one.coupon, one.tranche, one.tenor, one.words if book.issuer else ()): one for one in found}
    return list(named.values())


def numbers_of(book: Book, one: Instrument) -> int:
    """Where its tenor stands among the book's."""
    return book.tenors.index(one.tenor) if one.tenor in book.tenors else 0


def heading(random: Random, dealer: Dealer, book: Book, *, sizes: bool, in_table: bool = False) -> str:
    """Says class, currency, what the levels are and the unit of sizes."""
    words = dealer.words
    title = random.choice(book.titles[dealer.language])
    notes = [] if in_table else [words["notes"][(book.runs[0]).about]]
    if book.currency and book.currency not in re.findall(r"\w+", title):
        notes.append(book.currency)
    if sizes:
        notes.append(words["quantity_note" if book.quantity_first else "k_note" if book.size_kind else "size_note"])
    text = f"{title} - {', '.join(notes)}" if notes else title
    return text.upper() if dealer.heading == "upper" and not any(letter.islower() for letter in title) else text


def run(random: Random, seed: int, dealer: Dealer, book: Book, lines: int) -> tuple[list[str], list[dict[str, Any]]]:
    """Heading and lines, and their truth with `line` counted from 1."""
    sizes = _tells_sizes(dealer, book)
    full = len(book.runs) > 1 or book.runs[0].type == "price_vs_ref"
    quoted = [draw(random, one, book.runs, full=full) for one in drawn(random, seed, book, lines)]
    rows = [_columns(dealer, book, one) for one in quoted]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    body, known = [heading(random, dealer, book, sizes=sizes), ""], []
    cuts = _sections(random, dealer, book, len(rows))
    for at, (one, row) in enumerate(zip(quoted, rows, strict=True)):
        if at in cuts:
            body += ([""] if at else []) + [cuts[at]]
        if cuts and random.random() < WITHDRAWN:
            body.append(f"{row[0]}  off")
            continue
        body.append(_set(row, widths, dealer.gap))
        place = {"part_path": "1", "line": len(body), "raw_text": body[-1]}
        known += [truth(one, level, _shown(dealer, one, sizes=sizes), place) for level in one.levels]
    return body, known


def _tells_sizes(dealer: Dealer, book: Book) -> bool:
    return bool(book.currency) and (book.quantity_first or bool(dealer.sizes))


def _sections(random: Random, dealer: Dealer, book: Book, count: int) -> dict[int, str]:
    """Line number -> heading of the group that starts there; none for dealers who do not group."""
    if not (dealer.sections and book.sectors) or count < 4:
        return {}
    titles = random.sample(names("names")[book.sectors], 2)
    return {0: titles[0], count // 2: titles[1]}


def _shown(dealer: Dealer, quoted: Quoted, *, sizes: bool) -> Shown:
    one = quoted.instrument
    coupon, maturity = told(one.book)
    ids = one.ids[:1] if "id" in dealer.order else ()
    return Shown(_name(dealer, one), ids, coupon, maturity, sizes, tenor=one.tenor, currency=bool(one.book.currency))


def _name(dealer: Dealer, one: Instrument) -> str:
    name = one.named(dealer)
    if (
        one.tenor
        and (one.book.tenors or one.book.tenor_after)
        and not {"{tenor}", "{expiry}"} & set(_fields(one.book.name))
    ):
        name += f" {one.tenor.lower() if dealer.language == 'en' else one.tenor}"
    return name


def _fields(template: str) -> list[str]:
    return ["{" + part.partition("}")[0] + "}" for part in template.split("{")[1:]]


def _columns(dealer: Dealer, book: Book, quoted: Quoted) -> list[str]:
    one = quoted.instrument
    what = {"name": _name(dealer, one), "id": one.ids[0][1] if one.ids else ""}
    row = [what[part] for part in dealer.order.split() if what[part]]
    row += [_level(dealer, book, quoted, level) for level in quoted.levels]
    if book.quantity_first:
        return [f"{quoted.bid_size} {row[0]}", *row[1:]]
    if _tells_sizes(dealer, book):
        style = "{bid}k x {ask}k" if book.size_kind else dealer.sizes
        row.append(style.format(bid=quoted.bid_size, ask=quoted.ask_size))
    if quoted.benchmark:
        row.append(quoted.benchmark)
    return row


def _level(dealer: Dealer, book: Book, quoted: Quoted, level: Level) -> str:
    around = level.measure.text
    if level.bid is None and (around != "{}" or (dealer.language == "en" and dealer.number % 2)):
        return f"{around.format(_alone(dealer, level))} offered"
    short = book.cls if dealer.shorthand else ""
    null = "--" if around == "{}" and dealer.number % 4 else ""
    text = pair(level.bid, level.ask, level.measure, dealer.decimal, null=null, short_for=short)
    if around != "{}":
        around = dealer.words.get("texts", {}).get(level.measure.head, around)
    return around.replace("{}", text, 1).format(ref=quoted.reference, delta=quoted.delta)


def _alone(dealer: Dealer, level: Level) -> str:
    return printed(level.ask or level.bid or Decimal(0), level.measure, dealer.decimal)


def _set(row: list[str], widths: list[int], gap: int) -> str:
    if gap:
        return (" " * gap).join(row)
    return "".join(f"{text:<{width + 3}}" for text, width in zip(row, widths, strict=True)).rstrip()
