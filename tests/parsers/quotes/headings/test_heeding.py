from __future__ import annotations

from fractions import Fraction

from parsers.codes import QuoteKind
from parsers.quotes.answers.classing import class_of
from parsers.quotes.headings.heeding import under, under_header
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.cutting.classed import told_by


def after(*lines: str) -> Setting:
    setting = Setting()
    for line in lines:
        setting = under(setting, line)
    return setting


def test_a_section_stands_until_the_next_of_its_kind() -> None:
    setting = after("EUROPEAN CONVERTIBLES - EUR", "TMT")
    assert (setting.section, setting.currency) == ("convertible", "EUR")
    assert after("USD", "EUR").currency == "EUR"
    assert after("OFFERS", "BIDS").side == "bid"


def test_market_talk_names_neither_class_nor_kind() -> None:
    setting = after("HY RUN", "SPX +0.3%, CDX and cash both better, BWICs light")
    assert (setting.section, setting.kind) == ("corp_hy", None)


def test_a_sentence_speaks_of_a_class_only_where_no_title_does() -> None:
    sentence = (
        "Please find below our updated two way markets in covered bonds as of this morning. Call with any interest."
    )
    assert after(sentence).remark == "covered_bond"
    assert class_of("XYZ 5 03/34", (), told_by(after("USD IG", sentence), None)) == ("corp_ig", "heading")


def test_headings_tell_units_running_coupons_and_structures() -> None:
    assert after("sizes in M").is_in_m
    assert not after("sizes in MM").is_in_m
    assert after("UPFRONT NAMES (points, +500 running)").running == Fraction(500)
    assert after("ATM straddles").struct == "straddle"
    assert after("levels bid/offer").is_order_told
    assert after("HY marks - EOD").kind is QuoteKind.mark


def test_a_heading_of_two_measures_names_none() -> None:
    assert after("px bid/ask, Z-spread bid/ask").measure is None


def test_a_dollar_is_canadian_in_a_canadian_block() -> None:
    assert after("PROVINCIAL RUN", "all in $").currency == "CAD"
    assert after("HY RUN, $mm").currency == "USD"


def test_column_headings_that_name_a_class_are_a_title_too() -> None:
    title = "CDX IG45 tranches 5y, ref 47.5, USD.  Upfront in points, d = delta (not a price)"
    setting = under_header(after("PREFERRED RUN"), ("upfront_pts",), title)
    assert (setting.section, setting.hints, setting.is_order_told) == ("cds_tranche", ("upfront_pts",), True)
    assert under_header(after("PREFERRED RUN"), (), "Issue  Bid  Ask").section == "preferred"
