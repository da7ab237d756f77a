"""What a class's plan and the columns of a curve add to the instrument of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from parsers.document import Cell
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Instrument
from parsers.quotes.tables.cells import plain
from parsers.quotes.tables.fields import coupon_of
from parsers.quotes.tables.names import tenor_in
from parsers.quotes.tables.plan import Plan
from parsers.quotes.tables.sizes import size_of
from parsers.values.separators import Locale
from parsers.values.tenors import tenor

_ON_THE_RUN = re.compile(r"(\d{1,2}[yY])\s+\d")


def planned_instrument(found: Instrument, plan: Plan, cells: Sequence[Cell], locale: Locale) -> Instrument:
    """With what only the class's plan knows of the row: original face, a loan's margin, a coupon under `Rate`."""
    if plan.orig_face is not None:
        column, rules = plan.orig_face
        face = size_of(cells[column.at], rules)
        found = replace(found, orig_face=face.value if face is not None else None)
    if plan.margin is not None and found.coupon_margin_bp is None:
        found = replace(found, coupon_margin_bp=plain(cells[plan.margin], locale))
    if plan.coupon is not None and found.coupon_type == "unknown":
        coupon = coupon_of(cells[plan.coupon], locale)
        found = replace(found, coupon=coupon.rate, coupon_type=coupon.kind)
    return found


def dollars_of(identifiers: Iterable[tuple[str, str]]) -> str | None:
    """USD, where a US ISIN or a CUSIP of the United States or Canada is all that tells the money (spec 2.1)."""
    numbers = dict(identifiers)
    return "USD" if numbers.get("isin", "").startswith("US") or numbers.get("cusip", "A")[0].isdigit() else None


def titled_instrument(
    found: Instrument, title: str | None, month: str | None, money: str | None, coupon: str | None = None
) -> Instrument:
    """The instrument of a column: of a curve or programme in its own columns, of a month's delivery."""
    if title is None and month is None:
        return found
    named = " ".join(filter(None, (title, coupon))) if title else found.description
    description = " ".join(filter(None, (named, month.capitalize() if month else None)))
    return replace(found, description=description, currency=money if money and money != "$" else found.currency)


def titled_money(class_name: str, title: str | None, description: str | None) -> str | None:
    """The currency of the curve in the title, where the row's own text names no market: `0-3%` below `ITRAXX MAIN`."""
    rules = rules_of(class_name)
    if title is None or not rules.curve or rules.market_of(description or "") is not None:
        return None
    return rules.market_of(title)


def with_tenor(found: Instrument, class_name: str) -> Instrument:
    """Of what is quoted by tenor, with the one in its name: `IG45 5y 0-3%`."""
    name = found.description or ""
    if rules_of(class_name).curve:
        printed = tenor_in(name)
    else:  # an on-the-run `10Y` is one (ruling 11), and in front of its coupon
        on_the_run = _ON_THE_RUN.match(name)
        printed = tenor(on_the_run[1] if on_the_run else name)
    return replace(found, tenor=printed) if printed else found
