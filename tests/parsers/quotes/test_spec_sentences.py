"""Sentences of the spec, each on the smallest line that shows it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.codes import Code
from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]
Row = tuple[str, str | None, str | None, str | None]  # quote type, bid, ask, mid

HY, IG = "HY RUN, USD", "USD IG RUN"
LEVELS: list[tuple[str, str, str, list[Row]]] = [  # sentence, heading, line, rows
    ("4.1 nr is no value", HY, "XYZ 5 03/34 nr/94", [("price_pct", None, "94", None)]),
    ("4.1 nr is no value behind a bid", HY, "XYZ 5 03/34 94.5/NR", [("price_pct", "94.5", None, None)]),
    ("4.1 a blank that does not break", HY, "XYZ 5 03/34 97\u00a0½-98", [("price_pct", "97.5", "98", None)]),
    ("4.1 another such blank", HY, "XYZ 5 03/34 97\u202f1/2 / 98", [("price_pct", "97.5", "98", None)]),
    ("4.2 a comma parts two full values", HY, "XYZ 5 03/34 98.5,99", [("price_pct", "98.5", "99", None)]),
    ("4.2 a comma parts a whole value from another", HY, "XYZ 5 03/34 98,98.5", [("price_pct", "98", "98.5", None)]),
    ("4.4 strips are in 32nds", "STRIPS", "S 0 08/15/44 P 40-16/20", [("price_pct", "40.5", "40.625", None)]),
    ("4.1 no bid in front of a curve", IG, "XYZ 5 03/34 --/T+80", [("spread_bench_bp", None, "80", None)]),
    ("4.7 Bmk is the benchmark", IG, "XYZ 5 03/34 Bmk+85/80", [("spread_bench_bp", "85", "80", None)]),
    ("4.7 gilts are the benchmark", IG, "XYZ 5 03/34 gilts+85/80", [("spread_bench_bp", "85", "80", None)]),
    (
        "4.7 DM stands in front of its margins too",
        "FRN RUN",
        "BAC FRN 27 99.8/99.9 DM 62/58",
        [("price_pct", "99.8", "99.9", None), ("dm_bp", "62", "58", None)],
    ),
    (
        "ruling 15 a price behind a spread is no second spread",
        IG,
        "XYZ 5 03/34 T+85/80 98.5/99",
        [("spread_bench_bp", "85", "80", None), ("price_pct", "98.5", "99", None)],
    ),
    (
        "ruling 4 a lone yield has the side of the row's only price, whatever the heading says",
        "HY OFFERS",
        "XYZ 5 03/34 98.5 bid YTW 6.1",
        [("price_pct", "98.5", None, None), ("yield_pct", "6.1", None, None)],
    ),
    (
        "ruling 21 a strike is no premium",
        "SWAPTIONS",
        "5y5y receiver 25bp OTM 88/90",
        [("vol_normal_bp", "88", "90", None)],
    ),
    (
        "class 20 cents are percent",
        "TRADE CLAIMS",
        "Lehman LBHI class 3 offered 35c",
        [("price_pct", None, "35", None)],
    ),
    ("4.7 a year in front of DM is none", "FRN RUN", "JPM FRN 29 DM 62/58", [("dm_bp", "62", "58", None)]),
    (
        "4.7 DM behind its margins is theirs, whatever follows",
        "FRN RUN",
        "BAC FRN 27 62/58 DM 99/100",
        [("dm_bp", "62", "58", None), ("price_pct", "99", "100", None)],
    ),
]


def value(text: str | None) -> Fraction | None:
    return Fraction(text) if text is not None else None


@pytest.mark.parametrize(("heading", "line", "rows"), [case[1:] for case in LEVELS], ids=[case[0] for case in LEVELS])
def test_a_level_is_read_to_the_letter(runs: Runs, heading: str, line: str, rows: list[Row]) -> None:
    (draft,) = runs(f"{heading}\n\n{line}\n").drafts
    found = [(level.quote_type, level.bid, level.ask, level.mid) for level in draft.levels]
    assert found == [(kind, value(bid), value(ask), value(mid)) for kind, bid, ask, mid in rows]


SIZES: list[tuple[str, str, str, int | None, int | None]] = [  # sentence, heading, line, bid and ask size
    ("4.8 a small m is a million beside MM", HY, "XYZ 5 03/34 98/99 $5m\nABC 4 01/30 97/98 5MM", 5_000_000, 5_000_000),
    ("4.8 M is a thousand beside MM", HY, "XYZ 5 03/34 98/99 X 300M\nABC 4 01/30 97/98 5MM", None, 300_000),
    ("4.8 bi is a thousand millions", "MBONOS", "MBONO 7.75 Nov-42 9.32/9.28 1 bi", 10**9, 10**9),
    ("4.8 bare sizes are millions, for both sides", HY, "XYZ 5 03/34 98/99 5", 5_000_000, 5_000_000),
    ("4.8 dollars that letters name", HY, "XYZ 5 03/34 C$5mm 98/99", 5_000_000, 5_000_000),
    ("4.8 a bare size of a bid", HY, "XYZ 5 03/34 98.5 bid 5", 5_000_000, None),
    ("4.8 a bare size of an offer", HY, "XYZ 5 03/34 99 offered, 2", None, 2_000_000),
    ("4.8 behind a spread near par is a price", IG, "XYZ 5 03/34 T+85/80 98", None, None),
    ("ruling 2 OF is no size", "RMBS BWIC", "CWALT 2006-OA2 A1 OF 10mm talk high 80s", None, None),
    ("ruling 2 CF is the size", "RMBS BWIC", "CWALT 2006-OA4 A1 OF 10mm CF 1.8mm talk 85 area", 1_800_000, None),
    ("ruling 2 current face is the size", "RMBS BWIC", "CWALT 2006-OA7 A1 current face 5mm talk 85", 5_000_000, None),
]


@pytest.mark.parametrize(("heading", "line", "bid", "ask"), [case[1:] for case in SIZES], ids=[c[0] for c in SIZES])
def test_a_size_is_read_to_the_letter(runs: Runs, heading: str, line: str, bid: int | None, ask: int | None) -> None:
    draft = runs(f"{heading}\n\n{line}\n").drafts[0]
    assert (draft.sizes.bid, draft.sizes.ask) == (bid, ask)


@pytest.mark.parametrize(
    ("line", "face", "factor"),
    [
        ("CWALT 2006-OA2 A1 OF 10mm CF .18 talk 85 area", 10_000_000, "0.18"),
        ("CWALT 2006-OA2 A1 10mm OF x .18 talk 85 area", 10_000_000, "0.18"),
        ("CWALT 2006-OA2 A1 10mm of .18 talk 85 area", None, "0.18"),
    ],
)
def test_of_is_the_original_face_and_cf_the_factor(runs: Runs, line: str, face: int | None, factor: str) -> None:
    (draft,) = runs(f"RMBS BWIC\n\n{line}\n").drafts
    assert (draft.instrument.description, len(draft.levels)) == ("CWALT 2006-OA2 A1", 1)
    assert (draft.instrument.orig_face, draft.instrument.factor) == (face, Fraction(factor))


@pytest.mark.parametrize(
    ("phrase", "kind", "low", "high"),
    [
        ("sub 98", "price_pct", None, "98"),
        ("98 area", "price_pct", "98", None),
        ("98+", "price_pct", "98", None),
        ("context 98", "price_pct", "98", None),
        ("sub 150dm", "dm_bp", None, "150"),
    ],
)
def test_talk_of_a_list_needs_no_word_for_it(
    runs: Runs, phrase: str, kind: str, low: str | None, high: str | None
) -> None:
    (draft,) = runs(f"CLO BWIC\n\n67592CAA4 OCT67 2023-1A A1 5mm {phrase}\n").drafts
    (level,) = draft.levels
    assert (level.quote_kind, level.quote_type) == ("talk", kind)
    assert (level.talk_low, level.talk_high) == (value(low), value(high))


@pytest.mark.parametrize("line", ["OAT 3 févr. 34 98,2/98,4", "BTP 3 ott 34 98,2/98,4"])
def test_a_coupon_in_front_of_a_month_and_year_is_no_day(runs: Runs, line: str) -> None:
    (draft,) = runs(f"GOVIES EUR\n\n{line}\n").drafts
    assert draft.instrument.coupon == 3
    assert draft.instrument.maturity is None


def test_argentine_bonds_are_quoted_in_price(runs: Runs) -> None:
    (draft,) = runs("BONAR abr-29 35,2/35,8\n", "Argentina soberanos").drafts
    assert [(level.quote_type, level.bid) for level in draft.levels] == [("price_pct", Fraction("35.2"))]


def test_credit_over_gilts_is_investment_grade(runs: Runs) -> None:
    (draft,) = runs("XYZ 5 03/34 Gilt+85/80\n", "Sterling run GBP").drafts
    assert (draft.asset_class, draft.levels[0].benchmark) == ("corp_ig", "UKT")


def test_32nds_that_the_subject_speaks_of_are_read(runs: Runs) -> None:
    (draft,) = runs("XYZ 5 03/34 98-16/98-20\n", "Corp run, 32nds").drafts
    assert (draft.levels[0].bid, draft.levels[0].ask) == (Fraction("98.5"), Fraction("98.625"))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("XYZ 5 03/34 we bid 97 2mm", "market"),
        ("We can offer 5mm XYZ 5 03/34 at 99", "market"),
        ("Better seller of 3mm XYZ 5 03/34 98.5", "axe"),
    ],
)
def test_an_axe_is_only_where_axe_or_a_better_buyer_or_seller_is_printed(runs: Runs, line: str, kind: str) -> None:
    (draft,) = runs(f"{HY}\n\n{line}\n").drafts
    assert [level.quote_kind for level in draft.levels] == [kind]


def test_a_better_buyer_has_no_part_in_the_name(runs: Runs) -> None:
    (draft,) = runs(f"{HY}\n\nXYZ 5 03/34 we are a better buyer 98.25/98.75\n").drafts
    assert (draft.instrument.description, draft.is_axe_bid) == ("XYZ 5 03/34", True)


def test_the_currency_of_a_premium_is_printed(runs: Runs) -> None:
    (draft,) = runs("EURUSD options\n\nEURUSD 1M ATM 7.25/7.55 premium ccy USD\n").drafts
    assert (draft.instrument.currency, draft.levels[0].quote_type) == ("USD", "vol_pct")


def test_a_pair_with_its_tenor_is_no_credit_index_whatever_stands_above(runs: Runs) -> None:
    drafts = runs("CDX\nIG42 51.25/75\n\nFX\nEURUSD 1M 25/26\n").drafts
    assert [draft.asset_class for draft in drafts] == ["cds_index", "fx_forward"]


@pytest.mark.parametrize(
    ("heading", "line", "name"),
    [
        ("US TREASURIES", "10y 4 1/8 11/35 99-16/16+", "10y 4 1/8 11/35"),
        ("PREFERREDS", "JPM PRD 5.75 $25 par 24.85/24.95", "JPM PRD 5.75"),
    ],
)
def test_the_name_is_what_is_written_of_the_instrument(runs: Runs, heading: str, line: str, name: str) -> None:
    (draft,) = runs(f"{heading}\n{line}\n").drafts
    assert draft.instrument.description == name


def test_words_that_pass_the_check_are_no_cusips_though_they_stand_in_a_column(runs: Runs) -> None:
    drafts = runs(
        "HY\n\nJAN152028 ABC 5 03/34 98/99\nFEB152027 ABD 5 03/34 98/99\nTREASURY4 ABE 5 03/34 98/99\n"
    ).drafts
    assert [draft.instrument.identifiers for draft in drafts] == [(), (), ()]


def test_the_isin_of_a_brazilian_treasury_bond_is_one_in_text_too(runs: Runs) -> None:
    (draft,) = runs("BRSTNCNTB0O7 NTN-B 15/08/50 6,45/6,42\n", "Levels").drafts
    assert (draft.instrument.identifiers, draft.asset_class) == ((("isin", "BRSTNCNTB0O7"),), "inflation_linked")


@pytest.mark.parametrize(
    ("subject", "line", "kind", "asset_class"),
    [
        ("UST bills", "912797KS5 3.85/3.84", "discount_rate_pct", "govt_us"),
        ("US Treasury bills & notes", "912828ZT0 3.85/3.84", "yield_pct", "govt_us"),
        ("Mbonos", "M 421113 9.32/9.28", "yield_pct", "govt_latam_local"),
        ("IRS EUR", "EURUSD 5y xccy basis -12/-10", "basis_bp", "irs"),
    ],
)
def test_a_heading_says_what_its_lines_are_quoted_in(
    runs: Runs, subject: str, line: str, kind: str, asset_class: str
) -> None:
    (draft,) = runs(f"{line}\n", subject).drafts
    assert (draft.asset_class, draft.levels[0].quote_type) == (asset_class, kind)


@pytest.mark.parametrize(
    ("heading", "line", "coupon"),
    [
        (HY, "TEVA 7 3/8 '29 111/112", "7.375"),
        (HY, "TEVA 7 3/8s of 29 111/112", "7.375"),
        ("TBA", "FN 15 4.5 Feb 99-08/99-09", "4.5"),
    ],
)
def test_a_coupon_and_a_year_are_a_bond_however_they_are_written(
    runs: Runs, heading: str, line: str, coupon: str
) -> None:
    (draft,) = runs(f"{heading}\n\n{line}\n").drafts
    assert (draft.instrument.coupon, len(draft.levels)) == (Fraction(coupon), 1)


def test_talk_with_a_plus_is_of_a_spread_wherever_the_plus_stands(runs: Runs) -> None:
    (draft,) = runs("ABS BWIC\n\nFORDO 2024-A B 10mm talk mid +50s\n").drafts
    (level,) = draft.levels
    assert level.quote_type == "spread_i_bp"
    assert (level.talk_low, level.talk_high) == (Fraction(54), Fraction(56))


@pytest.mark.parametrize(
    ("subject", "heading"),
    [
        ("UST run", "Prices in 32nds"),
        ("UST run", "US TREASURIES (32nds)"),
        ("OAT", "US Treasuries\nPrix en 32ièmes"),
        ("Treasuries in 32nds", ""),
    ],
)
def test_a_point_is_one_of_32nds_where_heading_or_subject_says_so(subject: str, heading: str, runs: Runs) -> None:
    result = runs(f"{heading}\nT 4.25 11/34 99.16/99.17\nT 4 08/33 98.05/98.5\n", subject)
    assert [(draft.levels[0].bid, draft.levels[0].ask) for draft in result.drafts] == [
        (Fraction("99.5"), Fraction("99.53125"))
    ]
    assert [reject.code for reject in result.rejects] == [Code.ROW_AMBIGUOUS_NUMBER]  # 98.5 may be either
