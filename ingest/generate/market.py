"""The market of generated mails: dealers with their habits, and instruments with valid identifiers."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from stdnum import cusip, isin

from ingest.generate.kinds import GERMAN, KINDS, Kind
from ingest.generate.notation import eighths, plain

INSTRUMENTS = 500  # of each class and currency
FIRST_MATURITY = date(2027, 3, 1)
_CODE = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealer:
    """A sender and how he writes."""

    name: str
    domain: str
    people: tuple[str, ...]
    phone: str
    offset: str  # of the Date header
    language: str
    currency: str
    classes: tuple[str, ...]
    sizes: str  # how a pair of sizes is written
    shorthand: bool = False  # the ask without the handle where it is the bid's
    disclaimer: bool = False

    def kind(self, code: str) -> Kind:
        """The class as this dealer quotes it."""
        return GERMAN[code] if self.language == "de" else KINDS[code, self.currency]


@dataclass(frozen=True, slots=True)
class Instrument:
    """One line of the market."""

    identifier: str | None  # of the kind's id_type
    issuer: str  # as a table names it
    name: str  # as a run names it
    coupon: Decimal | None  # None where it is no part of the name
    maturity: date
    full_date: bool  # whether the name of a run tells the day of maturity
    anchor: float  # where in its class's range it trades, 0 to 1

    def named(self, language: str) -> str:
        """The name in a run, with the decimal mark of the language."""
        return self.name.replace(".", ",") if language == "de" else self.name


@cache
def data() -> dict[str, Any]:
    """The content of market.toml."""
    return tomllib.loads(files("ingest.generate").joinpath("market.toml").read_text("utf-8"))


@cache
def dealers() -> tuple[Dealer, ...]:
    """All dealers."""
    return tuple(
        Dealer(**entry | {"people": tuple(entry["people"]), "classes": tuple(entry["classes"])})
        for entry in data()["dealers"]
    )


@cache
def instruments(seed: int, code: str, currency: str) -> tuple[Instrument, ...]:
    """The instruments of a class; the same for every dealer, so that their quotes can be compared."""
    random = Random(f"{seed} {code} {currency}")  # noqa: S311 -- drawn, not secret
    return tuple(_instrument(random, code, currency, number) for number in range(INSTRUMENTS))


def _instrument(random: Random, code: str, currency: str, number: int) -> Instrument:
    maturity = FIRST_MATURITY + timedelta(days=random.randrange(20 * 365))
    coupon = Decimal(random.randrange(16, 66)) / 8
    month, year = f"{maturity:%m/%y}", f"{maturity:%y}"
    names = data()["names"]
    company = f"{random.choice(names['first'])} {random.choice(names['second'])}"
    ticker = "".join(letter for letter in company.upper() if letter not in "AEIOU ")[:5]
    issuer, named, shown, full_date = company, f"{ticker} {plain(coupon)} {month}", coupon, False
    match code:
        case "govt_us":
            maturity = maturity.replace(day=15)
            issuer = named = f"T {eighths(coupon)} {maturity:%m/%d/%y}"
            full_date = True
        case "us_muni":
            issuer = random.choice(names["obligors"])
            shown = Decimal(random.choice(("4", "5", "5.25")))
            named = f"{issuer} {plain(shown)}s {year}"
        case "em_hard_ccy":
            issuer = random.choice(names["countries"])
            named = f"{issuer} {plain(coupon)} {month}"
        case "leveraged_loan":
            issuer = f"{company} TLB"
            named = f"{issuer} S+{25 * random.randrange(10, 26)} 0.5% fl {month}"
        case "clo":
            issuer = named = f"{random.choice(names['shelves'])} {random.randrange(3, 40)}X {random.choice('ABCDE')}"
        case "cds_single":
            named = ticker + _CODE[10 + number % 24] + _CODE[10 + number // 24]  # no two references alike
            issuer = f"{company} {named[-2:]}"
    priced_by_coupon = code not in {"leveraged_loan", "clo", "cds_single"}
    identifier = _identifier(random, code, currency, number)
    return Instrument(
        identifier, issuer, named, shown if priced_by_coupon else None, maturity, full_date, random.random()
    )


def _identifier(random: Random, code: str, currency: str, number: int) -> str | None:
    """Valid, and given once: the serial counts through all classes."""
    serial = INSTRUMENTS * list(KINDS).index((code, currency)) + number
    digits = f"{random.randrange(10**4, 10**5)}" if code != "govt_us" else "91282"
    match code, currency:
        case "cds_single", _:
            return None
        case "leveraged_loan", _:
            return f"LX{300_000 + 7 * serial}"
        case _, "EUR":
            body = f"XS{2_000_000 + serial:07d}{random.randrange(100):02d}"
            return body + isin.calc_check_digit(body)
        case (("govt_us" | "us_muni" | "clo"), _):
            return _cusip(digits + _letters(serial))
        case _:
            body = "US" + _cusip(digits + _letters(serial))
            return body + isin.calc_check_digit(body)


def _letters(serial: int) -> str:
    """Three characters; a letter among them, or a phone number could be taken for it."""
    return _CODE[10 + serial // len(_CODE) ** 2] + _CODE[serial // len(_CODE) % len(_CODE)] + _CODE[serial % len(_CODE)]


def _cusip(body: str) -> str:
    return body + str(cusip.calc_check_digit(body))
