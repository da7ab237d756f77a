from __future__ import annotations

import pytest

from parsers.codes import Flag, QuoteType
from parsers.quotes.runs.case import Case, Measure
from parsers.quotes.runs.ground import Ground
from parsers.quotes.runs.measures import measure, price_of, spread_of
from parsers.quotes.runs.reading import Mark
from parsers.quotes.runs.tokens import tokens


def judged(level: str, asset_class: str, *, name: str = "XYZ 5 03/34", hint: str | None = None, label: str | None = None,
           heading: QuoteType | None = None) -> Measure | None:  # fmt: skip
    (token,) = tokens(level, [], ticks=False)
    return measure(Case(Mark(token, label=label), name, Ground(asset_class, measure=heading), hint))


@pytest.mark.parametrize(
    ("level", "asset_class", "expected"),
    [
        ("85/80", "corp_ig", QuoteType.spread_bench_bp),
        ("98.25/98.75", "corp_ig", QuoteType.price_pct),
        ("98.25/75", "corp_ig", QuoteType.price_pct),
        ("4.45/4.40", "corp_ig", QuoteType.yield_pct),
        ("3.45/3.40", "us_muni", QuoteType.yield_pct),
        ("102.5/103", "us_muni", QuoteType.price_pct),
        ("62/60", "provincial_canada", QuoteType.spread_bench_bp),
        ("3.385/3.379", "provincial_canada", QuoteType.yield_pct),
        ("99.5/100", "clo", QuoteType.price_pct),
        ("345/330", "clo", QuoteType.dm_bp),
        ("62/58dm", "frn", QuoteType.dm_bp),
        ("2.5/3.5", "distressed_debt", QuoteType.price_pct),
        ("7.25/7.55 v", "fx_option", QuoteType.vol_pct),
        ("95/97 nvol", "swaption", QuoteType.vol_normal_bp),
        ("88/91 bp run", "cds_tranche", QuoteType.cds_spread_bp),
        ("+120/115", "corp_hy", QuoteType.spread_bench_bp),
        ("-2.4/-1.6", "irs", QuoteType.rate_pct),
    ],
)
def test_a_bare_level_is_what_its_class_and_its_values_say(level: str, asset_class: str, expected: QuoteType) -> None:
    found = judged(level, asset_class)
    assert found is not None
    assert found.quote_type is expected


def test_a_label_goes_before_the_header_and_the_header_before_the_class() -> None:
    labelled = judged("6.4/6.2", "corp_hy", label="yield_pct", hint="price")
    headed = judged("85/80", "corp_hy", hint="spread_z_bp")
    assert labelled is not None
    assert headed is not None
    assert (labelled.quote_type, headed.quote_type) == (QuoteType.yield_pct, QuoteType.spread_z_bp)


def test_a_name_says_what_it_is_quoted_in() -> None:
    found = judged("-2.4/-1.6", "irs", name="EUR 10y swap spread")
    index = judged("107.25/107.5", "cds_index", name="CDX HY 43")
    assert found is not None
    assert index is not None
    assert (found.quote_type, index.quote_type) == (QuoteType.swap_spread_bp, QuoteType.price_pct)


def test_one_side_beside_a_benchmark_bond_is_a_spread_unless_near_par() -> None:
    for level, expected in (("49.5/--", QuoteType.spread_bench_bp), ("98.5/--", QuoteType.price_pct)):
        (token,) = tokens(level, [], ticks=False)
        found = measure(Case(Mark(token), "ONT 4 06/34", Ground("provincial_canada"), has_bond=True))
        assert found == Measure(expected)


def test_a_bill_named_by_its_date_is_on_discount() -> None:
    for name in ("B 07/01/27", "B 0 07/01/27", "US T-bill 07/01/27"):
        assert judged("3.235/3.215", "govt_us", name=name) == Measure(QuoteType.discount_rate_pct)


def test_a_headings_yield_is_not_believed_of_prices() -> None:
    found = judged("98/99", "corp_hy", heading=QuoteType.yield_pct)
    assert found is not None
    assert found.quote_type is QuoteType.price_pct


def test_the_yield_of_a_linker_is_a_real_one() -> None:
    found = judged("1.92/1.90 yld", "inflation_linked")
    assert found is not None
    assert found.quote_type is QuoteType.real_yield_pct


def test_what_nothing_tells_is_assumed_and_flagged() -> None:
    found = judged("+120/115", "unknown")
    assert found == Measure(QuoteType.spread_unspecified_bp, flags=frozenset({Flag.type_assumed}))


def test_a_level_that_fits_no_reading_of_its_class_is_none() -> None:
    assert judged("5512-88", "us_muni") is None


def test_each_class_has_its_price_and_its_spread() -> None:
    assert (price_of("preferred"), price_of("corp_ig")) == (QuoteType.price_unit, QuoteType.price_pct)
    assert (spread_of("clo"), spread_of("repo")) == (QuoteType.dm_bp, QuoteType.spread_unspecified_bp)
