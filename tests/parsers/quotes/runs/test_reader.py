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


def test_an_answer_takes_the_instrument_of_the_quoted_line_above(runs: Runs) -> None:
    result = runs(
        "Hi, inline\n> XS2641318121 ENEL 3.375 07/28 - where are you?\n99.10/99.60, 3mm x 3mm\n> thanks\n", "Re: IG"
    )
    (draft,) = result.drafts
    assert draft.instrument.identifiers == (("isin", "XS2641318121"),)
    assert (draft.line, draft.levels[0].bid) == (3, Fraction("99.1"))


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
