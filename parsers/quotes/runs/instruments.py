"""The instrument of a line, by what it names and what stands over it (spec 2.1, ruling 11)."""

from __future__ import annotations

import re

from msgspec.structs import replace

from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Instrument
from parsers.quotes.runs.attributes import SECURITISED, Attributes
from parsers.quotes.runs.judging import ON_THE_RUN
from parsers.quotes.runs.naming import coupon_value
from parsers.quotes.runs.reading import Named, Reading
from parsers.quotes.runs.scene import Scene
from parsers.values.dates import DateOrder, maturity
from parsers.values.numbers import number
from parsers.values.tenors import tenor

_WAL = re.compile(r"\s+(?:WAL\s)?(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:yrs?|y)?(?:\sWAL)?(?<=[yLrs])$", re.IGNORECASE)
_ONLY_TENOR = re.compile(
    r"(?:\d{1,3}[Dd]|\d\d?[WMYAJwmy]|\d\d?(?:wk|mo|yr)s?|\d\d?-\d{1,3}%?|[OTS]/?N)(?:\s(?:ATMF?|NDF|pts|points|puntos|pontos|punti|Punkte|outright))?"
)
_ONLY_OPTION = re.compile(
    r"(?:(?:\d{1,2}[dwmyDWMY]|ON)\s)?(?:ATMF?|(?:10|15|25)\s?[dD]?\s?(?:RR|BF|FLY))(?:\s\d{1,2}[dwmyDWMY])?"
)
"""An option on what a heading names: `1M 25RR`."""
_POINT = re.compile(r"(?:[A-Za-z]+\s){0,2}(2|3|5|7|10|20|30)s")
"""Of the curve: `10s`, `OLD 10s`."""
_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,7}(?=\s)")


def titled(name: str, scene: Scene) -> str:
    """A tenor with what the heading over it says that it is of."""
    is_part = _ONLY_TENOR.fullmatch(name) or (" " in name and tenor(name))  # `3M`, `3 mesi`
    is_part = is_part or (scene.asset_class == "fx_option" and _ONLY_OPTION.fullmatch(name))
    title = scene.setting.issuer if rules_of(scene.asset_class).curve and is_part else None
    return f"{title} {name}" if title else name


_UNDER_TENORS = frozenset({"cds_single", "cds_index", "cds_tranche", "repo", "swaption"})
"""Classes whose headings say of which tenor the lines are."""
_AMERICAN = frozenset({"govt_us", "us_muni"})
"""Classes whose dates in English are American, whatever lines of other markets beside them show."""
_WITHOUT_COUPON = frozenset({"leveraged_loan", "warrant_equity"})
"""What stands in the place of a coupon is a margin, or a strike: `WARRANT SAN CALL 9 03/27`."""


def instrument(
    reading: Reading, scene: Scene, currency: str | None, market: str | None, said: Attributes
) -> Instrument:
    """The instrument of a line, with the attributes that its text says.

    Args:
        reading: of the line.
        scene: where it stands.
        currency: of the instrument.
        market: whose order of day and month its dates have: the currency, else what is known of it.
        said: in the line, beside its name.
    """
    named = _of_all_tenors(reading)
    name, locale = scene.asset_class, scene.block.locale
    is_american = name in _AMERICAN and scene.block.language == "en"
    order = DateOrder.mdy if is_american else scene.block.date_order(market, scene.region)
    due = maturity(named.maturity, order) if named.maturity else None
    coupon = coupon_value(named.coupon, locale) if named.coupon and name not in _WITHOUT_COUPON else None
    margin = number(named.margin, locale) if named.margin else None
    description = named.name
    life = _WAL.search(description) if name in SECURITISED else None
    if life is not None:
        description = description[: life.start()]
    if name in SECURITISED and said.rating and len(said.rating) > 1:  # `ELMW9 2021-2A ER  BB`
        description = description.removesuffix(f" {said.rating}")
    description = titled(description, scene)
    ticker = _TICKER.match(named.name) if named.coupon is not None else None
    return Instrument(
        identifiers=tuple((item.kind, item.value) for item in named.identifiers),
        description=description or None,
        ticker=ticker[0] if ticker is not None else None,
        tranche=named.tranche,
        seniority=said.seniority,
        rating=said.rating,
        coupon=coupon,
        coupon_type=_coupon_type(named, name),
        coupon_margin_bp=margin.value if margin is not None else None,
        maturity=due.date if due is not None else None,
        maturity_text=named.maturity,
        is_due_unsure=due is not None and due.ambiguous and not scene.block.tells_date_order,
        tenor=_tenor(named, scene),
        currency=currency,
        factor=said.factor,
        wal_years=said.wal_years,
        ce_pct=said.ce_pct,
        orig_face=said.orig_face,
    )


def _tenor(named: Named, scene: Scene) -> str | None:
    """The line's tenor where the class has tenors (ruling 11), else a heading's for credit protection."""
    name = scene.asset_class
    if named.tenor and (rules_of(name).curve or (name in ON_THE_RUN and named.maturity is None)):
        return tenor(named.tenor)
    point = _POINT.fullmatch(named.name) if name in ON_THE_RUN else None
    if point is not None:
        return f"{point[1]}Y"
    return scene.setting.tenor if name in _UNDER_TENORS else None


def _coupon_type(named: Named, name: str) -> str:
    if named.margin is not None or name == "frn":
        return "float"
    plain = "fixed" if named.coupon is not None else "unknown"
    return "zero" if name == "strips" else plain


def _of_all_tenors(reading: Reading) -> Named:
    """The instrument of `F 3y 120/128 5y 182/188` is `F`: each level has its tenor."""
    named = reading.named
    tenors = {mark.tenor for mark in reading.marks}
    if len(tenors) < 2 or None in tenors or not named.tenor or not named.name.endswith(f" {named.tenor}"):
        return named
    return replace(named, name=named.name.removesuffix(f" {named.tenor}").rstrip(" :"))
