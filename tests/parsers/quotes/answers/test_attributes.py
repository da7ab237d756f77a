from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.quotes.answers.attributes import attributes, settlement
from parsers.quotes.draft import Draft
from parsers.quotes.runs import RunResult
from parsers.values.separators import Locale

Runs = Callable[..., RunResult]


def one(runs: Runs, text: str) -> Draft:
    (draft,) = runs(text).drafts
    return draft


@pytest.mark.parametrize(
    ("name", "seniority", "rating"),
    [
        ("XYZ 5 03/15/34 Sr Unsec", "Sr Unsec", None),
        ("XYZ SNP 5 03/15/34", "SNP", None),
        ("XYZ Tier 2 5 03/15/34", "Tier 2", None),
        ("F 5y SNRFOR", "SNRFOR", None),
        ("XYZ BBB+ 5 03/15/34", None, "BBB+"),
        ("XYZ Baa2/BBB 5 03/15/34", None, "Baa2/BBB"),
        ("XYZ 5 03/15/34 (A2/A)", None, "A2/A"),
        ("BB 5 03/15/34", None, None),  # a ticker
        ("OCT67 2023-1A A1", None, None),  # a tranche
        ("TOYCC A-1", None, None),  # in another class a tranche
    ],
)
def test_rank_and_rating_are_told_by_their_words(name: str, seniority: str | None, rating: str | None) -> None:
    found = attributes(name, name, "corp_ig", Locale.point)
    assert (found.seniority, found.rating) == (seniority, rating)


def test_paper_has_short_ratings() -> None:
    assert attributes("TOYCC A-1 1M 4.38", "TOYCC A-1", "commercial_paper", Locale.point).rating == "A-1"


@pytest.mark.parametrize(
    ("line", "life", "enhancement", "factor"),
    [
        ("AMCAR 2024-1 C 1.9y I+95/90", "1.9", None, None),
        ("AMCAR 2024-1 D WAL 2.35 CE 12.5% I+95/90", "2.35", "12.5", None),
        ("FHR 5300 PA 25mm of .912 I+88", None, None, "0.912"),
        ("FHR 5300 PA 25mm OF x .912 98-12", None, None, "0.912"),
        ("FHR 5300 PA factor 0.5 98-12", None, None, "0.5"),
        ("AMCAR 2024-1 C I+95/90 10x", None, None, None),
    ],
)
def test_a_securitised_line_tells_life_enhancement_and_factor(
    line: str, life: str | None, enhancement: str | None, factor: str | None
) -> None:
    found = attributes(line, line, "abs", Locale.point)
    expected = [Fraction(text) if text else None for text in (life, enhancement, factor)]
    assert [found.wal_years, found.ce_pct, found.factor] == expected


def test_a_tenor_of_another_class_is_no_life() -> None:
    assert attributes("XYZ 2.5y 98/99", "XYZ", "corp_ig", Locale.point).wal_years is None


def test_an_original_face_is_no_size(runs: Runs) -> None:
    original = one(runs, "AGENCY CMO\nFHR 5300 PA OF 25mm factor .912 98-12/98-14\n")
    assert (original.instrument.orig_face, original.sizes.bid) == (Fraction(25_000_000), None)
    current = one(runs, "AGENCY CMO\nFHR 5300 PA 25mm of .912 98-12/98-14\n")
    assert (current.instrument.orig_face, current.sizes.bid) == (None, Fraction(25_000_000))


def test_settlement_is_kept_as_written_and_is_no_spread(runs: Runs) -> None:
    draft = one(runs, "IG RUN\nXYZ 5 03/15/34 T+85/80 T+1 settle\n")
    assert (draft.settle_text, len(draft.levels)) == ("T+1", 1)
    assert one(runs, "IG RUN, settle T+3\nXYZ 5 03/15/34 T+85/80\n").settle_text == "T+3"
    assert one(runs, "IG RUN\nXYZ 5 03/15/34 T+85/80\n").settle_text is None


def test_a_tba_settles_in_its_month() -> None:
    assert settlement("FNCL 5.5 Jan 98-162/98-166", "FNCL 5.5 Jan", "tba_mbs") == "Jan"
    assert settlement("XYZ 5 03/34 reg settle 98/99", "XYZ 5 03/34", "corp_hy") == "reg"
