"""What each asset class of spec section 1 is quoted on and in: instruments out of nowhere, measures with their ranges."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from stdnum import cusip as cusip_check
from stdnum import isin as isin_check

from tests.parsers.wild.levels import decimal, on_grid, places_of

CONSONANTS, VOWELS = "BCDFGKLMNPRSTVZ", "AEIOU"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
EIGHTH_COUPON = {0: "", 125: " 1/8", 250: " 1/4", 375: " 3/8", 500: " 1/2", 625: " 5/8", 750: " 3/4", 875: " 7/8"}


@dataclass(frozen=True)
class Instrument:
    text: str  # as a run prints it
    isin: str | None = None
    cusip: str | None = None
    loanx_id: str | None = None
    ticker: str | None = None
    coupon: str | None = None
    maturity: str | None = None
    currency: str | None = None
    tenor: str | None = None
    extra: str = ""  # behind the levels of a run: `vs 42.10 55d`


@dataclass(frozen=True)
class Mode:
    """One measure: its type, range, width and grid, and how headers and runs mark it."""

    quote_type: str
    low: float
    high: float
    width: tuple[float, float]
    step: str
    columns: str  # price, bare, yield, spread, or a named spread's type
    form: str = "decimal"  # decimal, ticks, eighths
    falling: bool = False  # bid above ask
    prefix: tuple[str, ...] = ("",)
    suffix: tuple[str, ...] = ("",)
    least: int = 0  # decimals at least


@dataclass(frozen=True)
class Book:
    code: str
    titles: tuple[str, ...]
    make: Callable[[random.Random], Instrument]
    modes: tuple[Mode, ...]
    languages: tuple[str, ...] = ("en",)
    tables: bool = True
    runs: bool = True


def ticker(rng: random.Random) -> str:
    """Five or six capitals that are no word: `BOVLK`."""
    middle = "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(2))
    return middle + rng.choice("KVXZ") + rng.choice(("", rng.choice("LNR")))


def short(rng: random.Random) -> str:
    """Four capitals: `BOVX`."""
    return ticker(rng)[:3] + rng.choice("KVXZ")


def company(rng: random.Random) -> str:
    return ticker(rng).capitalize() + rng.choice((" Holdings", " Energy", " Group", " Software", " Health"))


def cusip(rng: random.Random, lead: str | None = None) -> str:
    body = (lead or "".join(rng.choice("0123456789") for _ in range(5)) + rng.choice("ABCDEFGH")) + "".join(
        rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(2)
    )
    body = (body + "".join(rng.choice("0123456789") for _ in range(8)))[:8]
    return body + cusip_check.calc_check_digit(body)


def isin(rng: random.Random, land: str) -> str:
    body = land + "".join(rng.choice("0123456789") for _ in range(9))
    if land == "US":
        return us_isin(cusip(rng))
    return body + isin_check.calc_check_digit(body)


def us_isin(number: str) -> str:
    return "US" + number + isin_check.calc_check_digit("US" + number)


def coupon(rng: random.Random, style: str = "") -> str:
    """`4 1/4`, `4.25` or a whole number."""
    value = rng.randint(8, 64) * 125
    if (style or rng.choice(("fraction", "decimal"))) == "fraction":
        return f"{value // 1000}{EIGHTH_COUPON[value % 1000]}"
    return f"{value / 1000:g}"


def month(rng: random.Random) -> tuple[str, str]:
    """`05/34` twice over: the text of a maturity, and the same."""
    text = f"{rng.randint(1, 12):02}/{rng.randint(28, 46)}"
    return text, text


def us_date(rng: random.Random) -> str:
    return f"{rng.randint(1, 12):02}/{rng.choice((15, 28))}/{rng.randint(28, 46)}"


def bond(
    land: str, *names: str, currency: str | None = None, dated: bool = False
) -> Callable[[random.Random], Instrument]:
    def make(rng: random.Random) -> Instrument:
        name = rng.choice(names) if names else ticker(rng)
        rate, due = coupon(rng), us_date(rng) if dated else month(rng)[0]
        ids = {"isin": isin(rng, land)} if land != "US" else us_ids(rng)
        return Instrument(f"{name} {rate} {due}", ticker=name, coupon=rate, maturity=due, currency=currency, **ids)

    return make


def us_ids(rng: random.Random) -> dict[str, str]:
    number = cusip(rng)
    return {"cusip": number, "isin": us_isin(number)}


def plain(form: Callable[[random.Random], str], currency: str | None = None) -> Callable[[random.Random], Instrument]:
    """An instrument without identifiers: its text is all."""
    return lambda rng: Instrument(form(rng), currency=currency)


def muni(rng: random.Random) -> Instrument:
    name = rng.choice(("OHIO ST GO", "TEXAS TRANSN COMMN REV", "NEW YORK ST DORM AUTH REV", "MIAMI DADE CNTY SCH DIST"))
    rate, due = rng.choice(("4", "5", "3.25")), str(rng.randint(28, 46))
    return Instrument(f"{name} {rate}s {due}", cusip=cusip(rng))


def perp(rng: random.Random) -> Instrument:
    name, rate = ticker(rng), coupon(rng)
    return Instrument(
        f"{name} {rate} PERP", isin=isin(rng, "XS"), ticker=name, coupon=rate, maturity="PERP", currency="EUR"
    )


def floater(rng: random.Random) -> Instrument:
    return Instrument(f"{ticker(rng)} FRN {rng.randint(27, 33)} SOFR+{rng.randint(40, 190)}", isin=isin(rng, "XS"))


def convertible(rng: random.Random) -> Instrument:
    name, rate = ticker(rng), coupon(rng, "decimal")
    stock = decimal(on_grid(rng, 10, 90, "0.05"), 2)
    text = f"{name} {rate} {rng.randint(27, 32)}"
    return Instrument(text, isin=isin(rng, "US"), extra=f"vs {stock} {rng.randint(20, 80)}d")


def preferred(rng: random.Random) -> Instrument:
    return Instrument(f"{short(rng)} PR{rng.choice('ABCDF')} {coupon(rng, 'decimal')}", cusip=cusip(rng))


def loan(rng: random.Random) -> Instrument:
    text = (
        f"{company(rng)} TL{rng.choice('AB')} S+{rng.randint(9, 24) * 25} {rng.randint(1, 12):02}/{rng.randint(28, 32)}"
    )
    return Instrument(text, loanx_id=f"LX{rng.randint(100000, 299999)}")


def deal(*shelves: str, tranches: tuple[str, ...] = ("A2", "B", "C", "M1")) -> Callable[[random.Random], Instrument]:
    def make(rng: random.Random) -> Instrument:
        text = rng.choice(shelves).replace("@", str(rng.randint(2021, 2025))).replace("#", str(rng.randint(1, 9)))
        return Instrument(f"{text} {rng.choice(tranches)}", cusip=cusip(rng))

    return make


def tenor_of(*tenors: str) -> Callable[[random.Random], str]:
    return lambda rng: rng.choice(tenors)


def quoted_by_tenor(form: str, *tenors: str, currency: str | None = None) -> Callable[[random.Random], Instrument]:
    """Texts with a tenor in them; `{n}` is a name, `{t}` the tenor."""

    def make(rng: random.Random) -> Instrument:
        tenor = rng.choice(tenors)
        return Instrument(form.format(t=tenor, n=short(rng)), tenor=tenor.upper(), currency=currency)

    return make


def one_of(*makers: Callable[[random.Random], Instrument]) -> Callable[[random.Random], Instrument]:
    return lambda rng: rng.choice(makers)(rng)


PRICE = Mode("price_pct", 84, 112, (0.25, 1), "0.125", "price", least=2)
BARE = Mode("price_pct", 84, 112, (0.25, 1), "0.005", "bare", least=2)
TICKS = Mode("price_pct", 88, 108, (0.015625, 0.125), "0.0078125", "bare", "ticks")
EIGHTHS = Mode("price_pct", 74, 104, (0.25, 1), "0.125", "bare", "eighths")
YIELD = Mode("yield_pct", 2, 7, (0.01, 0.06), "0.005", "yield", falling=True, least=2)
BARE_YIELD = Mode("yield_pct", 2, 7, (0.01, 0.06), "0.01", "bare", falling=True, least=2)
T_SPREAD = Mode("spread_bench_bp", 40, 280, (2, 8), "1", "spread", falling=True, prefix=("T+", "+"))
Z_SPREAD = Mode("spread_z_bp", 90, 480, (4, 12), "1", "spread_z_bp", falling=True, prefix=("Z+",))
G_SPREAD = Mode("spread_g_bp", 40, 280, (2, 8), "1", "spread_g_bp", falling=True, prefix=("G+",))
MS_SPREAD = Mode("spread_asw_bp", 8, 90, (1, 5), "1", "spread_asw_bp", falling=True, prefix=("MS+",))
DM = Mode("dm_bp", 60, 480, (3, 12), "1", "dm_bp", falling=True, suffix=("dm", " dm"))
EUROPE = ("en", "de", "fr", "es", "it")


def marked(mode_type: str, low: float, high: float, width: tuple[float, float], step: str, **more: object) -> Mode:
    return Mode(mode_type, low, high, width, step, "bare", **more)  # type: ignore[arg-type]  # named as Mode's own


BOOKS = (
    Book("govt_us", ("US Treasuries", "UST run"), bond("US", "T", currency="USD", dated=True), (TICKS, YIELD)),
    Book(
        "govt_intl",
        ("European govts", "EGB run", "Gilts"),
        one_of(
            bond("DE", "DBR", currency="EUR"),
            bond("FR", "OAT", currency="EUR"),
            bond("IT", "BTPS", currency="EUR"),
            bond("GB", "UKT", currency="GBP"),
        ),
        (BARE, YIELD),
        EUROPE,
    ),
    Book(
        "govt_canada",
        ("Government of Canada", "GoC run"),
        bond("CA", "CAN", currency="CAD"),
        (BARE, YIELD),
        ("en", "fr"),
    ),
    Book(
        "govt_latam_local",
        ("LatAm local rates",),
        one_of(
            plain(lambda r: f"MBONO {coupon(r, 'decimal')} {r.choice(MONTHS)}-{r.randint(28, 42)}", "MXN"),
            plain(lambda r: f"TES {coupon(r, 'decimal')} {r.randint(28, 42)}", "COP"),
            plain(lambda r: f"NTN-F 10 01/{r.randint(29, 37)}", "BRL"),
        ),
        (marked("yield_pct", 7, 14, (0.02, 0.08), "0.005", falling=True, least=2),),
        ("en", "es", "pt"),
    ),
    Book(
        "inflation_linked",
        ("TIPS", "Linkers"),
        one_of(
            plain(lambda r: f"TII {coupon(r, 'fraction')} {month(r)[0]}", "USD"),
            plain(lambda r: f"NTN-B 08/{r.randint(28, 55)}", "BRL"),
        ),
        (marked("real_yield_pct", 1, 7, (0.01, 0.05), "0.005", falling=True, least=2),),
        ("en", "pt"),
    ),
    Book("strips", ("Treasury strips",), plain(lambda r: f"S 0 {us_date(r)} {r.choice('PC')}", "USD"), (BARE_YIELD,)),
    Book(
        "agency_ssa",
        ("SSA run", "Supranationals"),
        bond("XS", "EIB", "KFW", "IBRD", "CADES", currency="EUR"),
        (MS_SPREAD,),
        EUROPE,
    ),
    Book(
        "provincial_canada",
        ("Provincials", "Provincial run"),
        bond("CA", "ONT", "Q", "BRCOL", "ALTA", currency="CAD"),
        (Mode("spread_bench_bp", 20, 140, (1, 4), "0.5", "spread", falling=True),),
        ("en", "fr"),
    ),
    Book("us_muni", ("Muni two ways", "Municipals"), muni, (BARE_YIELD,)),
    Book("corp_ig", ("USD IG run", "Investment grade corporates"), bond("US", currency="USD"), (T_SPREAD, G_SPREAD)),
    Book(
        "corp_ig",
        ("EUR IG run", "EUR investment grade"),
        bond("XS", currency="EUR"),
        (Z_SPREAD, G_SPREAD, PRICE),
        EUROPE,
    ),
    Book(
        "corp_hy",
        ("HY run", "High yield"),
        one_of(bond("US", currency="USD"), bond("XS", currency="EUR")),
        (EIGHTHS, BARE, PRICE),
        EUROPE,
    ),
    Book(
        "em_hard_ccy",
        ("EM hard currency", "EM sovereigns"),
        one_of(bond("XS", "KENYA", "EGYPT", "TURKEY", currency="USD"), bond("US", "PEMEX", "COLOM", currency="USD")),
        (BARE, Z_SPREAD, PRICE),
        ("en", "es", "pt", "fr"),
    ),
    Book("covered_bond", ("Covered bonds", "Pfandbriefe"), bond("DE", currency="EUR"), (MS_SPREAD,), EUROPE),
    Book("financial_sub", ("AT1 run", "Bank capital", "Subordinated financials"), perp, (BARE, PRICE), EUROPE),
    Book("frn", ("FRN run", "Floaters"), floater, (PRICE, DM)),
    Book(
        "convertible",
        ("Convertibles", "Convertible bonds"),
        convertible,
        (Mode("price_vs_ref", 84, 130, (0.25, 1), "0.125", "bare", least=2),),
        tables=False,
    ),
    Book(
        "preferred",
        ("Preferreds", "Preferred stock"),
        preferred,
        (marked("price_unit", 18, 27, (0.05, 0.2), "0.05", least=2),),
    ),
    Book("leveraged_loan", ("Leveraged loans", "Loan run"), loan, (EIGHTHS, BARE)),
    Book(
        "distressed_debt",
        ("Distressed run", "Distressed debt"),
        bond("US", currency="USD"),
        (marked("price_pct", 12, 60, (0.5, 2), "0.25"),),
        ("en", "es"),
    ),
    Book(
        "trade_claim",
        ("Trade claims", "Bankruptcy claims"),
        plain(lambda r: f"{company(r)} {r.choice(('customer', 'trade', 'vendor'))} claims"),
        (marked("price_pct", 12, 95, (1, 3), "0.5"),),
    ),
    Book(
        "tba_mbs",
        ("TBA run", "Agency MBS TBA"),
        plain(
            lambda r: f"{r.choice(('FNCL', 'G2SF', 'FNCI'))} {r.choice(('4.5', '5', '5.5', '6'))} {r.choice(MONTHS)}",
            "USD",
        ),
        (TICKS,),
    ),
    Book(
        "agency_mbs_cmo",
        ("Agency CMO", "Agency CMOs"),
        deal("FHR 53##", "FNR @-4#", "GNR @-7#", tranches=("PA", "FA", "KT")),
        (TICKS,),
    ),
    Book("rmbs_nonagency", ("Non-agency RMBS", "RMBS"), deal("CWALT @-OA#", "JPMMT @-#", "BSABS @-HE#"), (BARE,)),
    Book(
        "crt",
        ("CRT run", "Credit risk transfer"),
        deal("STACR @-DNA#", "CAS @-R0#", tranches=("M1", "M2", "B1")),
        (DM,),
    ),
    Book(
        "cmbs",
        ("CMBS run", "Conduit CMBS"),
        deal("BBCMS @-C1#", "BANK @-BNK4#", "BMARK @-B2#", tranches=("A5", "AS", "B")),
        (Mode("spread_swap_bp", 70, 300, (3, 10), "1", "spread", falling=True, prefix=("J+", "N+")),),
    ),
    Book(
        "abs",
        ("ABS run", "Consumer ABS"),
        deal("AMCAR @-#", "CARMX @-#", "DRIVE @-#", tranches=("A3", "B", "C")),
        (Mode("spread_i_bp", 50, 220, (2, 8), "1", "spread_i_bp", falling=True, prefix=("I+",)),),
    ),
    Book(
        "clo",
        ("CLO run", "CLO mezz"),
        lambda r: Instrument(
            f"{ticker(r)} {r.randint(2018, 2024)}-{r.randint(1, 20)}{r.choice(('A', 'X'))} {r.choice(('A1', 'BR', 'CR', 'D', 'E'))}",
            isin=isin(r, "XS"),
        ),
        (DM, PRICE),
        ("en",),
    ),
    Book(
        "cdo_trups",
        ("TruPS CDO", "CDO run"),
        deal("PRETSL #", "ALESC #", tranches=("A1", "A2", "B")),
        (marked("price_pct", 50, 90, (1, 3), "0.25"),),
    ),
    Book(
        "structured_note",
        ("Structured notes", "Strukturierte Produkte"),
        lambda r: Instrument(f"BRC {coupon(r, 'decimal')}% {company(r).split()[0]}", isin=isin(r, "CH")),
        (marked("price_pct", 80, 104, (0.5, 1), "0.05", least=2),),
        ("en", "de", "fr"),
        runs=False,
    ),
    Book(
        "cd",
        ("Yankee CDs", "Certificates of deposit"),
        quoted_by_tenor("{n} Yankee CD {t}", "1M", "3M", "6M", "9M", currency="USD"),
        (marked("rate_pct", 3, 5.5, (0.02, 0.06), "0.01", falling=True, least=2),),
        tables=False,
    ),
    Book(
        "repo",
        ("Repo run", "UST repo"),
        one_of(
            plain(lambda r: f"GC {r.choice(('O/N', '1W', '1M'))}"),
            plain(lambda r: f"{r.choice((2, 3, 5, 7, 10))}y OTR"),
        ),
        (marked("repo_rate_pct", 3.5, 5, (0.01, 0.1), "0.01", falling=True, least=2),),
        tables=False,
    ),
    Book(
        "cds_single",
        ("Single name CDS", "CDS run"),
        quoted_by_tenor("{n} {t}", "3y", "5y", "7y", "10y"),
        (Mode("cds_spread_bp", 30, 380, (3, 10), "1", "bare"),),
        tables=False,
    ),
    Book(
        "cds_index",
        ("CDS indices", "Index run"),
        one_of(plain(lambda r: f"CDX IG{r.randint(38, 46)}"), plain(lambda r: f"iTraxx Main S{r.randint(36, 46)}")),
        (Mode("cds_spread_bp", 45, 98, (0.25, 1), "0.25", "bare", least=2),),
    ),
    Book(
        "cds_tranche",
        ("CDS tranches", "Index tranches"),
        plain(lambda r: f"IG{r.randint(38, 46)} 5y 0-3%"),
        (Mode("upfront_pts", 20, 48, (0.5, 1.5), "0.25", "bare"),),
        tables=False,
    ),
    Book(
        "irs",
        ("Interest rate swaps", "SOFR swaps"),
        quoted_by_tenor("USD SOFR {t}", "2y", "5y", "10y", "30y", currency="USD"),
        (Mode("rate_pct", 2.5, 4.8, (0.0025, 0.01), "0.0025", "bare", least=4),),
    ),
    Book(
        "swaption",
        ("Swaptions", "Swaption vols"),
        quoted_by_tenor("{t} ATM", "1y10y", "5y5y", "3m10y", "2y2y"),
        (Mode("vol_normal_bp", 70, 130, (1, 3), "0.5", "bare", least=1),),
        tables=False,
    ),
    Book(
        "inflation_swap",
        ("Inflation swaps", "ZC inflation"),
        one_of(
            quoted_by_tenor("UKRPI {t}", "2y", "5y", "10y", currency="GBP"),
            quoted_by_tenor("HICPxT {t}", "2y", "5y", "10y", currency="EUR"),
        ),
        (Mode("rate_pct", 1.6, 4, (0.02, 0.06), "0.005", "bare", least=2),),
    ),
    Book(
        "trs",
        ("TRS levels", "Total return swaps"),
        plain(lambda r: f"{r.choice(('IBOXHY', 'IBOXIG'))} {r.choice(('Mar', 'Jun', 'Dec'))} TRS"),
        (Mode("funding_spread_bp", 5, 60, (5, 15), "1", "bare", prefix=("SOFR+",)),),
        tables=False,
    ),
    Book(
        "fx_forward",
        ("FX forwards", "NDF run"),
        quoted_by_tenor("USDBRL {t} NDF", "1M", "3M", "6M", "1Y", currency="BRL"),
        (Mode("fx_rate", 5, 6, (0.002, 0.01), "0.0005", "bare", least=4),),
        ("en", "pt"),
    ),
    Book(
        "fx_option",
        ("FX vols", "FX options"),
        quoted_by_tenor("EURUSD {t} ATM", "1W", "1M", "3M", "1Y"),
        (Mode("vol_pct", 5, 14, (0.2, 0.5), "0.05", "bare", least=2),),
    ),
    Book(
        "private_equity_secondary",
        ("PE secondaries", "Fund secondaries"),
        plain(lambda r: f"{company(r).split()[0]} Partners {r.choice(('IV', 'VI', 'XII'))} {r.randint(2014, 2021)}"),
        (Mode("pct_nav", 60, 98, (1, 4), "0.5", "bare", suffix=("% NAV",)),),
        tables=False,
    ),
    Book(
        "warrant_equity",
        ("Post-reorg equity", "Warrants"),
        plain(lambda r: f"{ticker(r)} post-reorg eq"),
        (Mode("price_unit", 4, 60, (0.25, 1), "0.25", "bare", least=2),),
        tables=False,
    ),
)


def places_for(mode: Mode, *values: Fraction) -> int:
    """Decimals that print all of them alike."""
    return max(mode.least, *(places_of(value) for value in values))
