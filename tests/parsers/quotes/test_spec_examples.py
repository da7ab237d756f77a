"""The 82 examples of spec 4.10, each by the room that answers it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.codes import Code, Firmness, QuoteKind
from parsers.quotes.draft import Draft
from parsers.quotes.runs import RunResult
from parsers.values.levels import pair
from parsers.values.markets import LevelRules
from parsers.values.numbers import Ticks, number
from parsers.values.separators import Locale
from parsers.values.sizes import SizeRules, size_pair
from parsers.values.times.dates import DateOrder, maturity

Runs = Callable[..., RunResult]
Row = tuple[str, str | None, str | None, str | None]  # quote type, bid, ask, mid

HY, IG, UST = "HY RUN, USD", "USD IG RUN", "TREASURY RUN"
RUN_LINES: list[tuple[int, str, str, list[Row]]] = [  # number, heading, line, rows
    (1, IG, "XYZ 5 03/34 98.25/98.75", [("price_pct", "98.25", "98.75", None)]),
    (2, IG, "XYZ 5 03/34 98.25/75", [("price_pct", "98.25", "98.75", None)]),
    (3, IG, "XYZ 5 03/34 98.75/25", [("price_pct", "98.75", "99.25", None)]),
    (4, IG, "XYZ 5 03/34 99.875/125", [("price_pct", "99.875", "100.125", None)]),
    (5, IG, "XYZ 5 03/34 98.25/99", [("price_pct", "98.25", "99", None)]),
    (6, HY, "XYZ 5 03/34 98/9", [("price_pct", "98", "99", None)]),
    (7, HY, "XYZ 5 03/34 99/00", [("price_pct", "99", "100", None)]),
    (8, "DISTRESSED", "XYZ 5 03/34 32.5/37", [("price_pct", "32.5", "37", None)]),
    (9, "BUNDS", "DBR 2,6 08/33 99,845/65", [("price_pct", "99.845", "99.865", None)]),
    (10, "USD SWAPS", "USD SOFR 10y 3.8125/75", [("rate_pct", "3.8125", "3.8175", None)]),
    (11, HY, "XYZ 5 03/34 98 1/4 - 3/4", [("price_pct", "98.25", "98.75", None)]),
    (12, HY, "XYZ 5 03/34 98 3/4 - 1/4", [("price_pct", "98.75", "99.25", None)]),
    (13, HY, "XYZ 5 03/34 98 1/4-98 3/4", [("price_pct", "98.25", "98.75", None)]),
    (14, HY, "XYZ 5 03/34 98-1/4", [("price_pct", None, None, "98.25")]),
    (15, "LOANS", "LX131555 Acme TLB 99 7/8 - par 1/4", [("price_pct", "99.875", "100.25", None)]),
    (16, "LOANS", "LX131555 Acme TLB par-101", [("price_pct", "100", "101", None)]),
    (17, HY, "XYZ 5 03/34 98½/99¼", [("price_pct", "98.5", "99.25", None)]),
    (18, UST, "T 4 1/4 05/15/34 99-16", [("price_pct", None, None, "99.5")]),
    (19, UST, "T 4 1/4 05/15/34 99-16+", [("price_pct", None, None, "99.515625")]),
    (20, UST, "T 4 1/4 05/15/34 99-165", [("price_pct", None, None, "99.51953125")]),
    (21, "TBA", "FNCL 5.5 Dec 99-162 / 99-166", [("price_pct", "99.5078125", "99.5234375", None)]),
    (22, UST, "T 4 1/4 05/15/34 99'16.5", [("price_pct", None, None, "99.515625")]),
    (25, UST, "T 4 1/4 05/15/34 99-30/02", [("price_pct", "99.9375", "100.0625", None)]),
    (26, UST, "T 4 1/4 05/15/34 99-16+/17", [("price_pct", "99.515625", "99.53125", None)]),
    (27, UST, "T 4 1/4 05/15/34 99-032 / 99-03+  10x20", [("price_pct", "99.1015625", "99.109375", None)]),
    (29, HY, "XYZ 5 03/34 85-88", [("price_pct", "85", "88", None)]),
    (30, HY, "XYZ 5 03/34 92-94", [("price_pct", "92", "94", None)]),
    (31, IG, "XYZ 5 03/34 T+85/80", [("spread_bench_bp", "85", "80", None)]),
    (32, IG, "XYZ 5 03/34 +120/115", [("spread_bench_bp", "120", "115", None)]),
    (33, IG, "XYZ 5 03/34 +120/15", [("spread_bench_bp", "120", "115", None)]),
    (34, IG, "XYZ 5 03/34 +101/99", [("spread_bench_bp", "101", "99", None)]),
    (35, IG, "XYZ 5 03/34 B+217/", [("spread_bench_bp", "217", None, None)]),
    (36, IG, "XYZ 5 03/34 /213", [("spread_bench_bp", None, "213", None)]),
    (37, "COVERED BONDS, ASW", "XYZ 5 03/34 -12/-14", [("spread_asw_bp", "-12", "-14", None)]),
    (38, "COVERED BONDS, ASW", "XYZ 5 03/34 (12)/(14)", [("spread_asw_bp", "-12", "-14", None)]),
    (
        39,
        "EUR IG",
        "XYZ 5 03/34 G+145 Z+132 98.40",
        [
            ("spread_g_bp", None, None, "145"),
            ("spread_z_bp", None, None, "132"),
            ("price_pct", None, None, "98.4"),
        ],
    ),
    (40, "CDS", "XYZ 5y 85/88", [("cds_spread_bp", "85", "88", None)]),
    (41, "CDX", "IG42 51.25/75", [("cds_spread_bp", "51.25", "51.75", None)]),
    (42, "CDX", "HY42 107 3/8-1/2", [("price_pct", "107.375", "107.5", None)]),
    (43, "CDX TRANCHES", "IG42 5y 0-3% 32.5/33.5", [("upfront_pts", "32.5", "33.5", None)]),
    (44, "CDS", "XYZ 5y 12.5/13.5 pts up +500", [("upfront_pts", "12.5", "13.5", None)]),
    (45, "CLO", "OCP 2016-11X CR 135/130dm", [("dm_bp", "135", "130", None)]),
    (46, "MUNIS", "500 CALIF ST GO 5s 34 3.45/3.40", [("yield_pct", "3.45", "3.4", None)]),
    (47, "NTN-B", "NTN-B 15/05/2035 6,4520/6,4210", [("real_yield_pct", "6.452", "6.421", None)]),
    (48, "MBONOS", "MBONO 7.75 Nov-42 9.32/9.28", [("yield_pct", "9.32", "9.28", None)]),
    (49, "HOCHZINSANLEIHEN", "XYZ 5 03/34 98,25/98,75", [("price_pct", "98.25", "98.75", None)]),
    (63, HY, "XYZ 5 03/34 98.5 bid", [("price_pct", "98.5", None, None)]),
    (64, HY, "XYZ 5 03/34 99 offered, 2mm", [("price_pct", None, "99", None)]),
    (65, HY, "XYZ 5 03/34 98.5 bid only", [("price_pct", "98.5", None, None)]),
    (66, HY, "XYZ 5 03/34 --/99.25", [("price_pct", None, "99.25", None)]),
    (74, "CONVERTIBLES", "XYZ 5 34 104.5/5.25 vs 42.10 55d", [("price_vs_ref", "104.5", "105.25", None)]),
    (75, "$25 PAR PREFERREDS", "JPM PRD 5.75 24.85/24.95", [("price_unit", "24.85", "24.95", None)]),
    (76, "FX OPTIONS", "EURUSD 1M ATM 7.25/7.55 v", [("vol_pct", "7.25", "7.55", None)]),
    (77, UST, "T 4 1/4 05/15/34 99-16+", [("price_pct", None, None, "99.515625")]),
    (78, "MUNIS", "NYC GO 5s of '34 @ 3.45", [("yield_pct", None, "3.45", None)]),
]


def value(text: str | None) -> Fraction | None:
    return Fraction(text) if text is not None else None


def drafts_of(runs: Runs, heading: str, line: str) -> tuple[Draft, ...]:
    return runs(f"{heading}\n\n{line}\n").drafts


@pytest.mark.parametrize(
    ("heading", "line", "rows"), [case[1:] for case in RUN_LINES], ids=[str(case[0]) for case in RUN_LINES]
)
def test_a_line_of_a_run_means(runs: Runs, heading: str, line: str, rows: list[Row]) -> None:
    (draft,) = drafts_of(runs, heading, line)
    found = [(level.quote_type, level.bid, level.ask, level.mid) for level in draft.levels]
    assert found == [(kind, value(bid), value(ask), value(mid)) for kind, bid, ask, mid in rows]


@pytest.mark.parametrize(
    ("text", "expected"), [("134-015", "134.046875"), ("134-017", "134.0546875")], ids=["23", "24"]
)
def test_a_futures_third_digit_is_a_quarter_of_a_32nd(text: str, expected: str) -> None:
    found = pair(text, LevelRules(thirty_seconds=Ticks.futures))
    assert found is not None
    assert found.single is not None
    assert found.single.value == Fraction(expected)


def test_28_a_tick_above_31_is_refused(runs: Runs) -> None:
    result = runs(f"{UST}\nT 4 1/4 05/15/34 99-32\n")
    assert result.drafts == ()
    assert [reject.code for reject in result.rejects] == [Code.ROW_AMBIGUOUS_NUMBER]


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("1.234,56", Locale.comma, "1234.56"),
        ("1'234.56", Locale.point, "1234.56"),
        ("1\u202f234,56", Locale.comma, "1234.56"),
        ("1,234", Locale.point, "1234"),
        ("98,125", Locale.point, "98.125"),
        ("98.25 (+.125)", Locale.point, "98.25"),
        ("99.50*", Locale.point, "99.5"),
        ("2.45E+2", Locale.point, "245"),
    ],
    ids=["50", "51", "52", "53", "54", "79", "81", "82"],
)
def test_a_cell_is_a_number(text: str, locale: Locale, expected: str) -> None:
    found = number(text, locale, ceiling=1000 if text == "98,125" else None)
    assert found is not None
    assert found.value == Fraction(expected)


@pytest.mark.parametrize(
    ("text", "rules", "bid", "ask"),
    [
        ("5mm x 10mm", SizeRules(), 5_000_000, 10_000_000),
        ("5x10", SizeRules(), 5_000_000, 10_000_000),
        ("5MM X", SizeRules(m_is_thousand=True), 5_000_000, None),
        ("X 300M", SizeRules(m_is_thousand=True), None, 300_000),
        ("€5m", SizeRules(), 5_000_000, None),
        ("500 mil", SizeRules(), 500_000, None),
        ("2,5 Mio.", SizeRules(Locale.comma), 2_500_000, None),
        ("1.5bn", SizeRules(), 1_500_000_000, None),
    ],
    ids=["55", "56", "57", "58", "59", "60", "61", "62"],
)
def test_a_size_counts(text: str, rules: SizeRules, bid: int | None, ask: int | None) -> None:
    found = size_pair(text, rules)
    assert found is not None
    first = found.bid or found.single
    assert (first.value if first else None, found.ask.value if found.ask else None) == (bid, ask)


@pytest.mark.parametrize(
    ("phrase", "kind", "low", "high"),
    [
        ("sub 98", "price_pct", None, "98"),
        ("mid 80s", "price_pct", "84", "86"),
        ("VH99s", "price_pct", "99.9", "99.99"),
        ("+LM600s dm", "dm_bp", "630", "650"),
    ],
    ids=["67", "69", "70", "71"],
)
def test_talk_is_a_range(runs: Runs, phrase: str, kind: str, low: str | None, high: str | None) -> None:
    (draft,) = drafts_of(runs, "CLO BWIC", f"67592CAA4 OCT67 2023-1A A1 talk {phrase}")
    (level,) = draft.levels
    assert (level.quote_kind, level.quote_type) == (QuoteKind.talk, kind)
    assert (level.talk_low, level.talk_high) == (value(low), value(high))


def test_68_sub_behind_a_number_is_subject(runs: Runs) -> None:
    (draft,) = drafts_of(runs, HY, "XYZ 5 03/34 98.5 sub")
    assert (draft.levels[0].mid, draft.firmness) == (Fraction("98.5"), Firmness.subject)


def test_72_a_cover_has_a_price_and_a_margin(runs: Runs) -> None:
    (draft,) = drafts_of(runs, "CLO BWIC COLOR", "67592CAA4 OCT67 2023-1A A1 cvr 100.02 / 136dm")
    found = [(level.quote_kind, level.quote_type, level.bid) for level in draft.levels]
    assert found == [(QuoteKind.cover, "price_pct", Fraction("100.02")), (QuoteKind.cover, "dm_bp", Fraction(136))]


def test_73_what_did_not_trade_has_no_price(runs: Runs) -> None:
    result = runs("CLO BWIC COLOR\n67592CAA4 OCT67 2023-1A A1 5mm DNT\n")
    assert (result.drafts, [reject.code for reject in result.rejects]) == ((), [Code.ROW_NO_PRICE])


def test_80_a_month_and_year_of_a_date_column_is_no_quote() -> None:
    found = maturity("12/13", DateOrder.mdy)
    assert found is not None
    assert found.date is None
