"""The instruments of a seed: the same for every dealer, so that their quotes can be compared."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from ingest.generate.books import books
from ingest.generate.data import table
from ingest.generate.identifiers import identifier
from ingest.generate.notation import eighths, plain

if TYPE_CHECKING:
    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer

TODAY = date(2026, 11, 16)
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_ROMAN = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """One line of the market."""

    book: Book
    ids: tuple[tuple[str, str], ...]  # type and identifier, in the order of the book
    ticker: str
    issuer: str
    coupon: Decimal | None
    maturity: date | None
    margin: int
    tranche: str
    tenor: str | None
    words: tuple[tuple[str, str], ...]  # what else its name may hold
    anchor: float  # where in its measures' ranges it trades, 0 to 1

    def named(self, dealer: Dealer) -> str:
        """The name as the dealer writes it in runs and sheets."""
        return self._filled(self.book.name, dealer)

    def described(self, dealer: Dealer) -> str:
        """The long name, of classes that have one beside the short."""
        return self._filled(self.book.reference, dealer) if self.book.reference else self.issuer

    def _filled(self, template: str, dealer: Dealer) -> str:
        coupon = "" if self.coupon is None else plain(self.coupon)
        fields = dict(self.words) | {
            "ticker": self.ticker,
            "issuer": self.issuer,
            "coupon": coupon.replace(".", dealer.decimal),
            "mixed": "" if self.coupon is None else eighths(self.coupon),
            "margin": str(self.margin),
            "tranche": self.tranche,
            "tenor": (self.tenor or "").lower() if dealer.language == "en" else self.tenor or "",
        }
        if self.maturity is not None:
            fields |= _days(self.maturity, dealer)
        return template.format(**fields)


def _days(when: date, dealer: Dealer) -> dict[str, str]:
    """Every way to write it in a name; strftime would take longer than the rest of a mail."""
    day, month, year = f"{when.day:02d}", f"{when.month:02d}", str(when.year)
    point = "." if dealer.language == "de" else "/"
    return {
        "my": f"{month}/{year[2:]}",
        "y": year[2:],
        "mdy": f"{month}/{day}/{year[2:]}",
        "dmy": f"{day}/{month}/{year[2:]}",
        "mdY": f"{month}/{day}/{year}" if dealer.language == "en" else f"{day}/{month}/{year}",
        "dmY": f"{day}{point}{month}{point}{year}",
        "dby": f"{day}-{dealer.words['months'][when.month - 1].capitalize()}-{year[2:]}",
    }


@lru_cache(100_000)
def instrument(seed: int, key: str, number: int) -> Instrument:
    """The book's instrument of that number."""
    book = books()[key]
    random = Random(f"{seed} {key} {number}")  # noqa: S311 -- drawn, not secret
    serial = book.first + number
    if book.listed:
        ticker, coupon, tranche, month, tenor = _listed(book, number)
        issuer = ticker
    else:
        ticker, issuer = _issuer(random, book)
        coupon = _coupon(random, book)
        tranche, month, tenor = random.choice(book.tranches or ("",)), "", None
        if book.tenors:
            tenor = random.choice(book.tenors)
    low, high, step = book.margin
    words = (
        ("serial", _LETTERS[number // len(_LETTERS) % len(_LETTERS)] + _LETTERS[number % len(_LETTERS)]),
        ("series", str(4000 + serial % 1900)),
        ("deal", f"{random.randrange(16, 26)}-{random.randrange(1, 40)}"),
        ("year", str(random.randrange(17, 26))),
        ("number", str(random.randrange(3, 70))),
        ("letter", random.choice("ABCDEFGHJKLM")),
        ("call", str(random.randrange(28, 36))),
        ("claim", random.choice(table("names")["claims"])),
        ("paper", random.choice(table("names")["papers"])),
        ("roman", random.choice(_ROMAN)),
        ("vintage", str(random.randrange(2012, 2024))),
        ("month", month),
        ("expiry", _parts(tenor)[0].lower()),
        ("tail", _parts(tenor)[1].lower()),
    )
    return Instrument(
        book=book,
        ids=tuple((kind.partition(":")[0], identifier(kind, serial)) for kind in book.ids),
        ticker=ticker,
        issuer=issuer,
        coupon=coupon,
        maturity=_maturity(random, book),
        margin=low + step * random.randrange((high - low) // step),
        tranche=tranche,
        tenor=tenor or book.fixed_tenor,
        words=words,
        anchor=random.random(),
    )


def _listed(book: Book, number: int) -> tuple[str, Decimal | None, str, str, str | None]:
    """The product of the lists, so that every name is there once."""
    number, ticker = divmod(number, len(book.listed))
    drawn: list[str | None] = []
    for choices in (book.coupons, book.tranches, book.months, book.tenors):
        number, at = divmod(number, len(choices) or 1)
        drawn.append(choices[at] if choices else None)
    coupon, tranche, month, tenor = drawn
    return book.listed[ticker], Decimal(coupon) if coupon else None, tranche or "", month or "", tenor


def _issuer(random: Random, book: Book) -> tuple[str, str]:
    names = table("names")
    if book.issuer == "company":
        company = f"{random.choice(names['first'])} {random.choice(names['second'])}"
        return "".join(letter for letter in company.upper() if letter not in "AEIOU ")[:5], company
    ticker, _, issuer = random.choice(names[book.issuer]).partition("|")
    return ticker, issuer or ticker


def _coupon(random: Random, book: Book) -> Decimal | None:
    if book.coupons:
        return Decimal(random.choice(book.coupons))
    if not ({"coupon"} & set(book.columns) or "{coupon}" in book.name or "{mixed}" in book.name):
        return Decimal(0) if book.zero else None
    low, high = book.coupon
    return low + Decimal(random.randrange(int((high - low) * 8) + 1)) / 8


def _maturity(random: Random, book: Book) -> date | None:
    if book.listed or ("maturity" not in book.columns and not any(f"{{{key}" in book.name for key in ("m", "d", "y}"))):
        return None
    first, last = book.years
    day = TODAY + timedelta(days=20 + 365 * first + random.randrange(365 * (last - first) - 20))
    return day.replace(day=min(book.day, monthrange(day.year, day.month)[1])) if book.day else day


def _parts(tenor: str | None) -> tuple[str, str]:
    """1Y10Y: expiry and tail."""
    if not tenor:
        return "", ""
    at = next(place for place, letter in enumerate(tenor) if letter.isalpha()) + 1
    return tenor[:at], tenor[at:]
