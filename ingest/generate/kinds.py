"""The asset classes that are generated, as data: how they are named, what levels they are quoted in, how lines look."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto


class Notation(Enum):
    """How a level is printed."""

    decimal = auto()
    fraction = auto()  # eighths: 98 1/4
    ticks = auto()  # 32nds with halves: 98-08+


@dataclass(frozen=True, slots=True)
class LevelKind:
    """A measure with its range; all in the unit of its quote type."""

    quote_type: str
    low: Decimal
    high: Decimal
    tick: Decimal
    widest: int  # ticks between bid and ask
    text: str = "{}"  # around a pair in a run
    headers: tuple[str, str] = ("Bid", "Ask")
    notation: Notation = Notation.decimal
    benchmark: str | None = None
    bid_is_higher: bool = False  # spreads and yields


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """An asset class in one currency."""

    code: str
    currency: str
    language: str = "en"
    id_type: str  # of tables; `description` for classes named by text
    subjects: tuple[str, ...]
    heading: str  # says class, currency and the unit of sizes
    in_runs: tuple[LevelKind, ...]
    in_tables: tuple[LevelKind, ...]
    id_in_runs: bool = False
    maturity_column: bool = True
    quantity_first: bool = False  # 500 CALIF ST GO 5s 34 3.45/3.40
    size_unit: int = 1_000_000
    sizes: tuple[int, ...] = (1, 2, 3, 5, 5, 10)
    tenors: tuple[str, ...] = ()  # a curve a name


def _level(quote_type: str, low: str, high: str, tick: str, widest: int, **more: object) -> LevelKind:
    return LevelKind(quote_type, Decimal(low), Decimal(high), Decimal(tick), widest, **more)  # type: ignore[arg-type]


_TICKS = _level(
    "price_pct", "62", "107", "0.015625", 6, headers=("Bid (32nds)", "Ask (32nds)"), notation=Notation.ticks
)
_EIGHTHS = _level("price_pct", "84", "104", "0.125", 8, headers=("Bid Px", "Ask Px"), notation=Notation.fraction)
_PRICE = _level("price_pct", "88", "108", "0.05", 12, headers=("Bid Px", "Ask Px"))
_GELD_BRIEF = _level("price_pct", "90", "107", "0.025", 16, headers=("Geld", "Brief"))
_T_SPREAD = _level("spread_bench_bp", "45", "180", "1", 6, text="T+{}", benchmark="UST", bid_is_higher=True)
_Z_SPREAD = _level("spread_z_bp", "60", "420", "1", 9, text="Z+{}", headers=("Bid Z", "Ask Z"), bid_is_higher=True)
_DM = _level("dm_bp", "110", "640", "1", 12, text="{}dm", headers=("Bid DM", "Ask DM"), bid_is_higher=True)
_MUNI_YIELD = _level("yield_pct", "2.90", "4.60", "0.01", 8, headers=("Bid Yld", "Ask Yld"), bid_is_higher=True)
_CDS = _level("cds_spread_bp", "25", "320", "1", 8)

_TENORS = ("1Y", "3Y", "5Y", "7Y", "10Y")

KINDS = {
    (kind.code, kind.currency): kind
    for kind in (
        Kind(
            code="govt_us",
            currency="USD",
            id_type="cusip",
            subjects=("UST run", "Treasury run", "Off-the-run Treasuries"),
            heading="US TREASURY RUN - prices in 32nds, USD, sizes in mm",
            in_runs=(_TICKS,),
            in_tables=(_TICKS,),
            sizes=(5, 10, 25, 50, 100),
        ),
        Kind(
            code="corp_ig",
            currency="USD",
            id_type="isin",
            subjects=("USD IG run", "IG corporates", "Investment grade two-ways"),
            heading="USD INVESTMENT GRADE - two-way spreads, sizes in mm",
            in_runs=(_T_SPREAD,),
            in_tables=(_PRICE, _Z_SPREAD),
        ),
        Kind(
            code="corp_ig",
            currency="EUR",
            id_type="isin",
            subjects=("EUR IG run", "EUR investment grade levels"),
            heading="EUR INVESTMENT GRADE - price and Z-spread, sizes in mm",
            in_runs=(_PRICE, _Z_SPREAD),
            in_tables=(_PRICE, _Z_SPREAD),
            id_in_runs=True,
        ),
        Kind(
            code="corp_hy",
            currency="USD",
            id_type="isin",
            subjects=("HY run", "High yield two ways", "HY levels"),
            heading="HY RUN - cash prices, USD, sizes in mm",
            in_runs=(_EIGHTHS,),
            in_tables=(_EIGHTHS,),
        ),
        Kind(
            code="corp_hy",
            currency="EUR",
            id_type="isin",
            subjects=("European HY run", "EUR high yield levels"),
            heading="EUR HIGH YIELD - cash prices, EUR, sizes in mm",
            in_runs=(_PRICE,),
            in_tables=(_PRICE,),
            id_in_runs=True,
        ),
        Kind(
            code="em_hard_ccy",
            currency="USD",
            id_type="isin",
            subjects=("EM hard currency run", "EM sovereigns", "LatAm and EM levels"),
            heading="EM HARD CURRENCY (USD) - px bid/ask, Z-spread bid/ask, sizes in mm",
            in_runs=(_PRICE, _Z_SPREAD),
            in_tables=(_PRICE, _Z_SPREAD),
            id_in_runs=True,
        ),
        Kind(
            code="us_muni",
            currency="USD",
            id_type="cusip",
            subjects=("Muni two ways", "Tax-exempt levels"),
            heading="MUNICIPALS - quantity in M ($000), yield to worst bid/ask",
            in_runs=(_MUNI_YIELD,),
            in_tables=(_MUNI_YIELD,),
            quantity_first=True,
            size_unit=1000,
            sizes=(250, 500, 750, 1000, 2000),
        ),
        Kind(
            code="leveraged_loan",
            currency="USD",
            id_type="loanx_id",
            subjects=("Loan run", "Leveraged loan levels", "TLB two ways"),
            heading="LEVERAGED LOANS - TLB run, USD, sizes in mm",
            in_runs=(_EIGHTHS,),
            in_tables=(_EIGHTHS,),
            id_in_runs=True,
        ),
        Kind(
            code="clo",
            currency="USD",
            id_type="cusip",
            subjects=("US CLO run", "CLO secondary levels"),
            heading="US CLO RUN - DM and price, USD, sizes in mm",
            in_runs=(_DM, _PRICE),
            in_tables=(_DM, _PRICE),
            id_in_runs=True,
            maturity_column=False,
        ),
        Kind(
            code="clo",
            currency="EUR",
            id_type="isin",
            subjects=("EUR CLO run", "EUR CLO 2.0 levels"),
            heading="EUR CLO 2.0 RUN - DM and price, EUR, sizes in mm",
            in_runs=(_DM, _PRICE),
            in_tables=(_DM, _PRICE),
            id_in_runs=True,
            maturity_column=False,
        ),
        *(
            Kind(
                code="cds_single",
                currency=currency,
                id_type="description",
                subjects=(f"{currency} CDS run", f"{currency} single name CDS"),
                heading=f"{currency} SINGLE NAME CDS - senior, bp running, sizes in mm",
                in_runs=(_CDS,),
                in_tables=(_CDS,),
                tenors=_TENORS,
            )
            for currency in ("USD", "EUR")
        ),
    )
}

GERMAN = {
    code: Kind(
        code=code,
        currency="EUR",
        language="de",
        id_type="isin",
        subjects=(f"{word} EUR: Geld-/Briefkurse",),
        heading=f"{word} in EUR - Kurse Geld/Brief, Volumen in Mio.",
        in_runs=(_GELD_BRIEF,),
        in_tables=(_GELD_BRIEF,),
        id_in_runs=True,
    )
    for code, word in (("corp_ig", "Unternehmensanleihen Investment Grade"), ("corp_hy", "Hochzinsanleihen High Yield"))
}
