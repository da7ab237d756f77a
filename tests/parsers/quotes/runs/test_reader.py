from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parsers.codes import Code
from parsers.document import Line
from parsers.documents.text import text_lines
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.runs import RunResult, read_lines

Runs = Callable[..., RunResult]
CONTEXT = PartContext(mail=MailContext(message_key="m", message_id="m"), part_path="1", content_type="text/plain")


def test_a_run_is_read_line_by_line_under_its_headings(runs: Runs) -> None:
    result = runs("USD IG RUN\n\nUS BANKS\nBAC 5.2 04/34 T+85/80 5x5\nBNP 5.335 06/29 subj\nMET 5.375 07/33 +78/74\n")
    assert [(draft.line, draft.asset_class, draft.class_source) for draft in result.drafts] == [
        (4, "corp_ig", "heading"),
        (6, "corp_ig", "heading"),
    ]
    assert [(reject.code, reject.locator) for reject in result.rejects] == [(Code.ROW_WITHDRAWN, "line 5")]


def test_the_span_of_each_level_is_its_text_in_the_part(runs: Runs) -> None:
    text = "HY RUN\nXYZ 5 03/34 98.25/98.75 5x5\nABC 4 01/30 senior\n        97/98 1x1\n"
    spans = [(level.char_start, level.char_end) for draft in runs(text).drafts for level in draft.levels]
    assert [text[start:end] for start, end in spans] == ["98.25/98.75", "97/98"]


def test_an_issuer_heading_names_the_lines_under_it(runs: Runs) -> None:
    result = runs("HY RUN\nFORD MOTOR CREDIT\n5.8 03/27 101.2/101.5\n")
    assert result.drafts[0].instrument.description == "FORD MOTOR CREDIT 5.8 03/27"


def test_a_market_that_could_not_be_read_names_nothing_under_it(runs: Runs) -> None:
    result = runs("2y 99-22+ / 99-3 3/4\n10y 4.125 11/35  99-16/16+\n30y   97-08  97-09\n", "UST OTR")
    assert [draft.instrument.description for draft in result.drafts] == ["10y 4.125 11/35", "30y"]
    assert result.drafts[1].levels[0].ask == Fraction("97.28125")


def test_an_answer_takes_the_instrument_of_the_quoted_line_above(runs: Runs) -> None:
    result = runs(
        "Hi, inline\n> XS2641318121 ENEL 3.375 07/28 - where are you?\n99.10/99.60, 3mm x 3mm\n> thanks\n", "Re: IG"
    )
    (draft,) = result.drafts
    assert draft.instrument.identifiers == (("isin", "XS2641318121"),)
    assert (draft.line, draft.levels[0].bid) == (3, Fraction("99.1"))


def test_a_tranche_on_a_line_of_its_own_has_the_levels_below_it(runs: Runs) -> None:
    (draft,) = runs("OCT58 2022-1A C\n99.80 / 100.05, 212/200dm\n", "Secondary").drafts
    assert draft.instrument.description == "OCT58 2022-1A C"
    assert [level.bid for level in draft.levels] == [Fraction("99.8"), 212]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("BNP 3.875 01/31\n102.15, 5mm\n", [(None, Fraction("102.15"))]),
        ("BNP 3.875 01/31\nRating 5.5\n", []),
        ("BNP 3.875 01/31\n10.25.2026\n", []),
    ],
)
def test_a_lone_level_below_an_instrument_is_its_own(
    runs: Runs, text: str, sides: list[tuple[Fraction | None, Fraction | None]]
) -> None:
    drafts = runs(text, "Offers").drafts
    assert [(level.bid, level.ask) for draft in drafts for level in draft.levels] == sides


def test_a_pair_of_a_heading_holds_below_it_though_its_spot_is_told(runs: Runs) -> None:
    (draft,) = runs("EURUSD forward points, spot 1.1580\n1W  4.1/4.3\n", "FX fwds").drafts
    assert draft.instrument.description == "EURUSD 1W"


def test_a_measure_in_front_of_a_tenor_is_of_the_level_behind_it(runs: Runs) -> None:
    (draft,) = runs("BEI 10y  2.28/2.30\n", "TIPS").drafts
    assert draft.levels[0].quote_type == "breakeven_pct"


def test_a_curve_may_stand_behind_its_spread(runs: Runs) -> None:
    (draft,) = runs("DENVER CO ARPT 5.25 11/15/43  +68/62 to MMD\n", "Munis").drafts
    assert draft.levels[0].quote_type == "spread_mmd_bp"


def test_quoted_lines_themselves_are_no_quotes(runs: Runs) -> None:
    assert runs("> XYZ 5 03/34 98.25/98.75\n", "HY run").drafts == ()


def test_nothing_behind_greeting_signature_or_disclaimer_is_read(runs: Runs) -> None:
    for end in ("Regards", "-- ", "Disclaimer: this e-mail is confidential, all levels subject."):
        result = runs(f"HY RUN\nXYZ 5 03/34 98.25/98.75\n{end}\nABC 4 01/30 97/98\n")
        assert [draft.line for draft in result.drafts] == [2]


def test_two_instruments_on_a_line_are_two_drafts_of_that_line(runs: Runs) -> None:
    result = runs("CDS\nF 5y 182/188   GM 5y 121/126\n")
    assert [(draft.line, draft.instrument.description) for draft in result.drafts] == [(2, "F 5y"), (2, "GM 5y")]


def test_a_typed_table_with_columns_for_both_sides_is_read_as_one(runs: Runs) -> None:
    result = runs(
        "HY\nName          Bid Px   Ask Px   Size\nXYZ 5 03/34   98.25    98.75    5x5\nABC 4 01/30   97.00    98.00    1x1\n"
    )
    found = [(draft.line, draft.levels[0].bid, draft.levels[0].ask) for draft in result.drafts]
    assert found == [(3, Fraction("98.25"), Fraction("98.75")), (4, Fraction(97), Fraction(98))]
    assert all(draft.headed for draft in result.drafts)


def test_a_header_line_explains_the_levels_of_the_lines_under_it(runs: Runs) -> None:
    result = runs(
        "CUSIP      Issue          Bid/Ask G-spread\n68333ZBC0  ONT 4.15 06/34   62/60\n68333ZBH9  ONT 3.60 06/35   66/64\n",
        "IG",
    )
    assert [draft.levels[0].quote_type for draft in result.drafts] == ["spread_g_bp", "spread_g_bp"]


def test_a_struck_line_is_withdrawn() -> None:
    lines = [Line(1, "HY RUN", 0), Line(2, "XYZ 5 03/34 98.25/98.75", 7, struck=True)]
    assert read_lines(lines, CONTEXT).drafts == ()


def test_a_line_beyond_all_measure_is_no_run_and_costs_no_time(runs: Runs) -> None:
    start = time.process_time()
    assert runs("HY RUN\nXYZ 5 03/34 " + "98.25/98.75 " * 100_000 + "\n").drafts == ()
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "piece", ["98.25/", "XYZ 5 03/34 98/99 ", "T+85/80 ", "talk mid 80s ", "1 1/2 ", "5mm x ", "0-3% "]
)
def test_long_lines_of_anything_are_read_in_time(runs: Runs, piece: str) -> None:
    start = time.process_time()
    runs("HY RUN\n" + (piece * (4900 // len(piece)) + "\n") * 3)
    assert time.process_time() - start < 20


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.text(max_size=120), max_size=12))
def test_no_text_makes_it_raise(pieces: list[str]) -> None:
    read_lines(text_lines("\n".join(pieces)), CONTEXT)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "XYZ",
                "5",
                "03/34",
                "98.25/98.75",
                "5x5",
                "T+85/80",
                "bid",
                "offer",
                "talk",
                "mid",
                "80s",
                "par",
                "-",
                "/",
                "@",
                "1/2",
                "99-16+",
                "CUSIP",
                "LX131555",
                "5y",
                "0-3%",
                "vs",
                "flat",
            ]
        ),
        max_size=14,
    )
)
def test_no_order_of_a_runs_words_makes_it_raise(words: list[str]) -> None:
    read_lines(text_lines("HY RUN\n" + " ".join(words)), CONTEXT)


@pytest.mark.parametrize(
    ("text", "bid", "ask"),
    [
        ("HY RUN\nXYZ 5 03/34 98.25/  5mmx5mm", "98.25", None),
        ("FUND SECONDARIES\nNordic Partners VI 2017 /91.5% NAV", None, "91.5"),
        ("FUND SECONDARIES\nNordic Partners VI 2017 65/% NAV", "65", None),
        ("PREFERREDS\nABCD PRD 1.875 /20.70", None, "20.70"),
        ("CONVERTIBLES\nXYZ 3.25 27   /88.125 vs 61.05 51d", None, "88.125"),
        ("FLOATERS\nXYZ FRN 31 SOFR+149 /98.50", None, "98.50"),
        ("COVERED BONDS\nXYZ 3 03/34 MS+94/MS+89", "94", "89"),
        ("CLO RUN\nABCLO 2022-9A BR 98/dm", "98", None),
        ("CLO RUN\nABCLO 2022-9A BR /98dm", None, "98"),
        ("TBA RUN\nG2SF 5 Oct 97'06/97'09.75", "97.1875", "97.3046875"),
        ("HY RUN\nXYZ 2 03/34 95.625 bid 10x20 XS2641318121", "95.625", None),
        ("SINGLE NAME CDS\nABCD 7y 250/", "250", None),
        ("CDS TRANCHES\nIG42 5y 0-3%  32.0 / 32.5", "32", "32.5"),
    ],
)
def test_a_side_alone_is_not_joined_with_what_stands_beside_it(
    runs: Runs, text: str, bid: str | None, ask: str | None
) -> None:
    (draft,) = runs(text).drafts
    (level,) = draft.levels
    expected = tuple(None if side is None else Fraction(side) for side in (bid, ask))
    assert (level.bid, level.ask) == expected


def test_points_up_front_of_a_tranche_are_not_spreads_for_a_heading_that_says_cds(runs: Runs) -> None:
    (draft,) = runs("CDS TRANCHES\nIG42 5y 0-3%  32.0 / 32.5").drafts
    assert draft.levels[0].quote_type == "upfront_pts"


def test_a_table_whose_rows_fit_its_header_is_read_by_its_columns(runs: Runs) -> None:
    rows = "Description     | Bid/Offer     | WAL | Chg\niTraxx Main S45 | 71.25 / 72.00 | 5.0 | -0.25\nCDX IG44        | 50.25 / 50.50 |     | -1\n"
    drafts = runs(f"INDEX RUN\n{rows}").drafts
    assert [[(level.bid, level.ask) for level in draft.levels] for draft in drafts] == [
        [(Fraction("71.25"), Fraction(72))],
        [(Fraction("50.25"), Fraction("50.5"))],
    ]


def test_a_sentence_names_no_class_for_the_lines_under_it(runs: Runs) -> None:
    text = "Two deals priced yesterday, books 3.2 times covered.\n\nXS2641318121 XYZ 3 29 90.25/91.125 vs 14.60 43d\n"
    (draft,) = runs(text, subject="Convertible bonds").drafts
    assert draft.asset_class == "convertible"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HY RUN\nXYZ 5 03/34 103.15 / 10 x 1", [("price_pct", "103.15", None)]),
        ("HY RUN\nXYZ 10 26  bid 71 / offer 74", [("price_pct", "71", "74")]),
        ("HY RUN\nXYZ 3.15 26 +0.25 95.625/96.125", [("price_pct", "95.625", "96.125")]),
        ("SINGLE NAME CDS\nABCD 5y 121/126 +2", [("cds_spread_bp", "121", "126")]),
        ("IG RUN\nXYZ 6.484 29c28 60 / 57", [("spread_bench_bp", "60", "57")]),
        ("IG RUN\nXYZ 5.8 2/35 +110/105 (T 4 1/4 11/34)", [("spread_bench_bp", "110", "105")]),
        ("LOAN RUN\nAcme TLB S+425 12/30  102.75 bid  10x2", [("price_pct", "102.75", None)]),
        ("LOAN RUN\nAcme TLB S+275 02/29  81 3/8", [("price_pct", "81.375", None)]),
        ("HY RUN\nXYZ 3 5/8 02/43 G 98.55 B 98.95", [("price_pct", "98.55", "98.95")]),
        ("TIPS\nTII 1 3/8 07/15/33 97-16+/97-18", [("price_pct", "97.515625", "97.5625")]),
        ("FUTURES\nTYH7 109-165/109-17", [("price_pct", "109.515625", "109.53125")]),
        ("PROVINCIALS\nONT 4 06/34 49.5/48\nQ 4 12/57 /98.5 CAN 2 12/55\nQ 3 06/33 62.5/61", [
            ("spread_bench_bp", "49.5", "48"), ("spread_bench_bp", None, "98.5"), ("spread_bench_bp", "62.5", "61"),
        ]),
    ],
)  # fmt: skip
def test_what_stands_beside_a_level_is_not_taken_for_one(
    runs: Runs, text: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    levels = [level for draft in runs(text).drafts for level in draft.levels]
    found = [(level.quote_type, level.bid if level.bid is not None else level.mid, level.ask) for level in levels]
    assert found == [
        (kind, Fraction(bid) if bid else None, Fraction(ask) if ask else None) for kind, bid, ask in expected
    ]


def test_each_bond_and_each_tenor_of_a_line_is_an_instrument(runs: Runs) -> None:
    text = "UST RUN\nT 4 1/4 05/15/34 99-16+/99-17   T 4 11/15/35 97-24/97-25\n2y 100-02/100-02+  5y 99-28/99-28+\n"
    assert [draft.instrument.description for draft in runs(text).drafts] == [
        "T 4 1/4 05/15/34",
        "T 4 11/15/35",
        "2y",
        "5y",
    ]


def test_a_name_with_several_tenors_is_named_without_them(runs: Runs) -> None:
    (draft,) = runs("SINGLE NAME CDS\nF 3y 120/128 5y 182/188").drafts
    assert draft.instrument.description == "F"
    assert [level.tenor for level in draft.levels] == ["3Y", "5Y"]


def test_talk_needs_no_word_that_announces_it(runs: Runs) -> None:
    drafts = runs("CLO BWIC\nABCLO 2019-80A D 3.5mm M90s\nABCLO 2016-11X CR 5mm talk 100.05 area / 350s dm").drafts
    found = [[(level.quote_type, level.talk_low, level.talk_high) for level in draft.levels] for draft in drafts]
    assert found == [
        [("price_pct", Fraction(94), Fraction(96))],
        [("price_pct", Fraction("100.05"), None), ("dm_bp", Fraction(350), Fraction(360))],
    ]


def test_vols_without_a_heading_over_their_tenors_are_read_by_column(runs: Runs) -> None:
    text = "EUR/USD\n        ATM        25RR\n1W   7.10/7.60  0.05/0.30\n1M   7.25/7.55  0.10/0.30\n"
    drafts = runs(text, subject="FX vols").drafts
    assert {draft.instrument.description for draft in drafts} == {"EUR/USD"}
    levels = [level for draft in drafts for level in draft.levels]
    assert [(level.tenor, level.option_struct) for level in levels] == [
        ("1W", "atm"), ("1W", "rr25"), ("1M", "atm"), ("1M", "rr25"),
    ]  # fmt: skip


def test_under_a_heading_of_a_side_a_lone_rate_is_a_level(runs: Runs) -> None:
    (draft,) = runs("Yankee CD axes - better seller\nMUFG NY 3M 4.48", subject="CD levels").drafts
    assert draft.levels[0].ask == Fraction("4.48")


def test_an_abs_run_is_no_greeting(runs: Runs) -> None:
    assert len(runs("HY RUN\nXYZ 5 03/34 98/99\n\nABS run\nAMCAR 2024-1 C I+95/90").drafts) == 2


def test_a_tenor_in_front_of_a_level_is_no_size(runs: Runs) -> None:
    (draft,) = runs("NDF RUN\nUSDBRL 1M 5.7520/5.7590  3M 5.8010/5.8090").drafts
    assert [level.tenor for level in draft.levels] == ["1M", "3M"]
    assert draft.sizes.bid is None


def test_the_tenor_of_an_index_is_not_the_swaps(runs: Runs) -> None:
    (draft,) = runs("EUR SWAPS\nEUR 10y vs 6m 2.6125/2.6175").drafts
    assert draft.levels[0].tenor == "10Y"


def test_two_bonds_named_by_law_and_year_are_two(runs: Runs) -> None:
    drafts = runs("EM SOVEREIGNS\nAL30 62.5/63  GD35 65.25/66").drafts
    assert [draft.instrument.description for draft in drafts] == ["AL30", "GD35"]


def test_a_pay_up_is_no_price(runs: Runs) -> None:
    (draft,) = runs("SPECIFIED POOLS\nFNCL 5.5 LLB 85k pay-up 24/26").drafts
    assert draft.levels[0].quote_type == "payup_32"


@pytest.mark.parametrize("word", ["Example", "e.g.", "Beispiel", "Exemple", "Format"])
def test_an_example_is_no_quote(runs: Runs, word: str) -> None:
    found = runs(f"HY RUN\n{word}: ABC 4 03/15/30 97/98\nXYZ 5 03/15/34 98/99\n").drafts
    assert [draft.instrument.description for draft in found] == ["XYZ 5 03/15/34"]


def test_nothing_behind_the_mark_of_a_signature_is_read(runs: Runs) -> None:
    assert not runs("thanks\n-- \nXS2641318121 XYZ 98.25/98.75\n").drafts
    assert runs("HY RUN\n--\nXS2641318121 XYZ 98.25/98.75\n").drafts


def test_what_a_word_makes_a_fact_is_no_level_beside_one(runs: Runs) -> None:
    (draft,) = runs("XS2641318121 XYZ 7 PERP 98.25/98.75  52-week range 85.00-99.75").drafts
    assert [(level.bid, level.ask) for level in draft.levels] == [(Fraction("98.25"), Fraction("98.75"))]


def test_the_word_disclaimer_alone_ends_the_part(runs: Runs) -> None:
    found = runs("HY RUN\nXYZ 5 03/15/34 98/99\n\nDisclaimer\nABC 4 03/15/30 97/98\n").drafts
    assert [draft.instrument.description for draft in found] == ["XYZ 5 03/15/34"]


def test_a_better_buyer_behind_a_market_is_axed(runs: Runs) -> None:
    (draft,) = runs("HY RUN\nXYZ 5 03/15/34 98/99 better buyer\n").drafts
    assert (draft.is_axe_bid, draft.is_axe_ask, draft.levels[0].quote_kind) == (True, False, "market")


def test_a_heading_in_front_of_a_long_word_is_looked_for_once(runs: Runs, growth: Callable[..., float]) -> None:
    assert growth(lambda count: runs(f"Linkers: A{count * '1'}:\n"), 600) < 24


def test_a_value_before_two_dots_and_another_is_no_level_for_sure(runs: Runs) -> None:
    found = runs("AAA 5 29  97..98\nBBB 5 30 .... 97/98\n", "HY run")
    assert [draft.instrument.ticker for draft in found.drafts] == ["BBB"]
    assert [(reject.code, reject.raw_text) for reject in found.rejects] == [
        (Code.ROW_AMBIGUOUS_NUMBER, "AAA 5 29  97..98")
    ]


def test_a_dash_for_no_decimals_belongs_to_its_side(runs: Runs) -> None:
    (draft,) = runs("Commerzbank 4,875% 34  103,- / 103,45\n", "Unternehmensanleihen").drafts
    assert [(level.bid, level.ask, level.bid_raw) for level in draft.levels] == [
        (Fraction(103), Fraction("103.45"), "103,-")
    ]


@pytest.mark.parametrize(
    ("line", "bid", "ask"),
    [
        ("SIRI 5 27  98-98.5  call 212 555 0100", "98", "98.5"),
        ("SIRI 5 27  98-98.5 2x2 tel: (212) 555-0100", "98", "98.5"),
        ("Jane Doe, HY 5 27, 98-98.5 Tel +44 20 7946 0123", "98", "98.5"),
    ],
)
def test_a_market_in_front_of_a_telephone_number_is_read_without_it(runs: Runs, line: str, bid: str, ask: str) -> None:
    (draft,) = runs(f"{line}\n", "HY run").drafts
    assert [(level.bid, level.ask) for level in draft.levels] == [(Fraction(bid), Fraction(ask))]


@pytest.mark.parametrize(
    "line", ["John 212-555-0100 / 212-555-0111", "Jane Doe +44 20 7946 0123", "SIRI 5 27  call 212 555 0100"]
)
def test_a_telephone_number_alone_is_no_market(runs: Runs, line: str) -> None:
    assert runs(f"HY RUN\n{line}\n").drafts == ()


@pytest.mark.parametrize(
    "line", ["BTPS 4.2 03/34 IT0005560948", "XS2641318121 CHTR 4 1/2 08/32", "BTPS 4.2 Mar-34 IT0005560948"]
)
def test_coupon_and_maturity_of_a_bond_without_a_level_are_none(runs: Runs, line: str) -> None:
    assert not runs(line).drafts
    (draft,) = runs(f"{line} 98.25/98.75").drafts
    assert [(level.bid, level.ask) for level in draft.levels] == [(Fraction("98.25"), Fraction("98.75"))]


@pytest.mark.parametrize("subject", ["IG runs", "HY runs"])
@pytest.mark.parametrize("level", ["98-16/98-20", "98-16/20", "98-16+/98-20+", "101-00/101-08", "98-16"])
def test_32nds_of_a_class_without_them_are_refused_and_no_part_of_them_is_a_level(
    runs: Runs, subject: str, level: str
) -> None:
    result = runs(f"CVS 4.3 28  {level}\nKO 2 29 98.5/98.75\n", subject)
    assert [draft.line for draft in result.drafts] == [2]
    assert [(reject.code, reject.locator) for reject in result.rejects] == [(Code.ROW_AMBIGUOUS_NUMBER, "line 1")]


def test_a_handle_joined_to_its_fraction_is_no_market_in_32nds(runs: Runs) -> None:
    result = runs("CVS 4.3 28  98-15/16\nCVS 4.4 28  98-13/16 - 99\n", "HY runs")
    found = [(draft.levels[0].mid, draft.levels[0].bid, draft.levels[0].ask) for draft in result.drafts]
    assert found == [(Fraction("98.9375"), None, None), (None, Fraction("98.8125"), Fraction(99))]


@pytest.mark.parametrize(
    "before", ["100.5-101.5", "100.5/101.5 yest", "100.5 / 101.5", "98-16/98-20", "100.5/101.5 y/day"]
)
def test_a_market_to_compare_with_is_none_of_the_lines(runs: Runs, before: str) -> None:
    (draft,) = runs(f"UAL 4.6 29 101.25/102 vs {before}\n", "HY run").drafts
    assert [(level.bid, level.ask) for level in draft.levels] == [(Fraction("101.25"), Fraction(102))]


@pytest.mark.parametrize("level", ["T+101-98", "T+101-T+98", "T+101-98 5x5"])
def test_a_dash_parts_the_sides_of_a_spread_over_a_curve(runs: Runs, level: str) -> None:
    result = runs(f"MS 5.25 04/34  {level}\nBAC 5.1 04/34 +85/80\n", "IG Runs")
    found = [(draft.levels[0].bid, draft.levels[0].ask, draft.levels[0].benchmark) for draft in result.drafts]
    assert found == [(Fraction(101), Fraction(98), "UST"), (Fraction(85), Fraction(80), None)]


def test_a_letter_behind_a_spread_is_its_side_but_an_a_alone_may_be_an_area(runs: Runs) -> None:
    text = "BAC 5 04/34 T+115b/T+112a\nBAC 6 04/34 T+115b/112o 5x5\nGS 5 04/35 +115b\nMS 5 04/36 T+112a\n"
    levels = [draft.levels[0] for draft in runs(text, "IG Runs").drafts]
    assert [(level.bid, level.ask, level.mid) for level in levels] == [
        (Fraction(115), Fraction(112), None),
        (Fraction(115), Fraction(112), None),
        (Fraction(115), None, None),
        (None, None, Fraction(112)),
    ]


@pytest.mark.parametrize(
    "line", ["UBER 0.875 28  vs 92.50   128.25/128.75  65d", "SPOT 0 26 (ref 92.50) 128.25/128.75 65d"]
)
def test_what_a_convertible_refers_to_may_stand_in_front_of_its_level(runs: Runs, line: str) -> None:
    (draft,) = runs(f"{line}\n", "Convertible runs").drafts
    assert draft.instrument.description in ("UBER 0.875 28", "SPOT 0 26")
    level = draft.levels[0]
    assert (level.ref_price, level.bid, level.ask) == (Fraction("92.5"), Fraction("128.25"), Fraction("128.75"))


def test_words_right_behind_prices_are_their_sides_and_fractions_by_an_x_are_prices(runs: Runs) -> None:
    text = "CVS 4.3 28  97 3/8 x 98\nCVS 4.4 28 99.1bid/99.5offer\nCVS 4.5 28 99.1bid\n"
    found = [(draft.levels[0].bid, draft.levels[0].ask) for draft in runs(text, "HY runs").drafts]
    assert found == [
        (Fraction("97.375"), Fraction(98)),
        (Fraction("99.1"), Fraction("99.5")),
        (Fraction("99.1"), None),
    ]


def test_a_bond_whose_figures_nobody_could_read_is_refused_and_is_no_heading(runs: Runs) -> None:
    text = "CVS 4.4 28 99.1/98/95\nMS 5.25 04/34  T+101/98/95\nBAC 5.1 04/34 +85/80\nCVS 4.6 28 99.1/98/95\n"
    result = runs(text, "IG Runs")
    assert [draft.levels[0].benchmark for draft in result.drafts] == [None]
    assert [(reject.code, reject.locator) for reject in result.rejects] == [
        (Code.ROW_NO_PRICE, "line 1"),
        (Code.ROW_NO_PRICE, "line 2"),
        (Code.ROW_NO_PRICE, "line 4"),
    ]


def test_figures_of_a_bond_whose_level_stands_on_the_next_line_are_not_refused(runs: Runs) -> None:
    result = runs("CVS 4.4 28 wal 10.25 yrs\n   98/99\n", "HY runs")
    assert [len(result.drafts), len(result.rejects)] == [1, 0]


@pytest.mark.parametrize("text", ["99 7/0 - par 3/8", "99 9/8 - 100 3/8", "99 1/3 - 99 2/3", "99 9/8"])
def test_a_handle_with_what_is_no_fraction_is_neither_a_price_nor_a_market(text: str, runs: Runs) -> None:
    result = runs(f"DIMMX 10 1/4 12/28 {text}\n", "HY runs")
    assert (result.drafts, [reject.code for reject in result.rejects]) == ((), [Code.ROW_AMBIGUOUS_NUMBER])


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Fixings 27 Nov", "HY run\nGRANIT 8 1/4 09/30 101.5/102.25\n"),
        ("Fixings and swap levels", "USD swaps\n5y 3.51/3.53\n"),
        ("Trade confirmation", "HY run\nGRANIT 8 1/4 09/30 101.5/102.25\n"),
    ],
)
def test_a_market_below_a_subject_of_prices_that_nobody_makes_is_refused(runs: Runs, subject: str, text: str) -> None:
    found = runs(text, subject)
    assert found.drafts == ()
    assert [(reject.code, reject.raw_text) for reject in found.rejects] == [
        (Code.ROW_AMBIGUOUS_NUMBER, text.splitlines()[1])
    ]


def test_what_has_one_value_below_such_a_subject_is_as_it_says(runs: Runs) -> None:
    assert runs("HY run\nSOFR  3.98\nGRANIT 8 1/4 09/30 101.5\n", "Fixings 27 Nov") == RunResult(())


@pytest.mark.parametrize(
    "text",
    [
        "Bid/Ask  6.10/5.90  6.12/5.92",  # below tenors
        " 1000  15.50/17.00    40.75/42.75",  # below months
        "Brownsville Util Rev w/a coupon of 5.25% maturing in 09/01/15 callable at par on 09/01/05 offered at $97.425",
        "on 02/01/07 offered at $101.964 - AAA rated",
    ],
)
def test_a_market_or_an_offer_of_what_was_not_understood_is_refused(runs: Runs, text: str) -> None:
    found = runs(f"{text}\n", "Levels")
    assert found.drafts == ()
    assert [(reject.code, reject.raw_text) for reject in found.rejects] == [(Code.ROW_NO_INSTRUMENT, text)]


def test_what_a_bond_costs_when_it_is_called_is_no_level_and_the_offer_below_it_is_one(runs: Runs) -> None:
    text = "Pecos Co TX  5.5% 02/01/11 callable at par on 02/01/07\n"
    (draft,) = runs(f"{text}offered at $101.964\n", "Muni offerings").drafts
    assert [(level.ask, level.bid) for level in draft.levels] == [(Fraction("101.964"), None)]
    found = runs(text, "Muni offerings")
    assert (found.drafts, [reject.code for reject in found.rejects]) == ((), [Code.ROW_NO_PRICE])
