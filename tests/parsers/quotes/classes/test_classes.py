from __future__ import annotations

import pytest

from parsers.codes import AssetClass, QuoteType
from parsers.quotes.classes import class_by_deal, class_by_instrument, class_by_words, classes_in, is_of_class, rules_of
from parsers.values.numbers import Ticks


def test_each_class_of_the_spec_has_its_rules() -> None:
    for name in AssetClass.__members__:
        rules = rules_of(name)
        assert rules.name == name
        assert rules.unmarked
        assert name == "unknown" or rules.types


def test_derivatives_and_money_markets_are_quoted_by_tenor_and_bonds_are_not() -> None:
    assert {name for name in AssetClass.__members__ if rules_of(name).curve} == {
        *("cds_single", "cds_index", "cds_tranche", "irs", "swaption", "inflation_swap", "trs"),
        *("fx_forward", "fx_option", "repo", "cd", "commercial_paper"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HY RUN  -  cash prices", "corp_hy"),
        ("USD IG FINS", "corp_ig"),
        ("LatAm hard currency AM run", "em_hard_ccy"),
        ("EUR single name CDS, 5y senior", "cds_single"),
        ("Títulos públicos federais (R$)", "govt_latam_local"),
        ("Non-Agency RMBS BWIC", "rmbs_nonagency"),
        ("Pfandbriefe", "covered_bond"),
        ("EM Sovereign CDS", "cds_single"),
        ("Yankee CDs", "cd"),
        ("NEW ISSUE & SECONDARY CDs", "cd"),
        ("LATAM CORPORATES", "em_hard_ccy"),
        ("IG bonds and CDS", "corp_ig"),
        ("Good morning", None),
    ],
)
def test_the_longest_phrase_of_a_heading_names_the_class(text: str, expected: str | None) -> None:
    assert class_by_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T 4 1/4 05/15/34", "govt_us"),
        ("NTN-B 15/05/2035", "inflation_linked"),
        ("Mbono nov-38", "govt_latam_local"),
        ("FNCL 5.5 Dec", "tba_mbs"),
        ("IG45 5y 0-3%", "cds_tranche"),
        ("Europe Main S46 3-6%", "cds_tranche"),
        ("0-3%", "cds_tranche"),
        ("Store hours 9-5, 20-30% off", None),  # a range in percent alone is no tranche
        ("IG45 5y", "cds_index"),
        ("BBCMS 2023-C19 A5", "cmbs"),
        ("EURUSD 1M 25RR", "fx_option"),
        ("USDBRL 3M NDF", "fx_forward"),
        ("Hello world", None),
    ],
)
def test_an_instruments_text_has_the_form_of_its_class(text: str, expected: str | None) -> None:
    assert class_by_instrument(text) == expected


def test_a_strong_form_is_said_by_few() -> None:
    assert class_by_instrument("NTN-B 15/05/2035", strong=True) == "inflation_linked"
    assert class_by_instrument("T 4 1/4 05/15/34", strong=True) is None


def test_a_deal_is_known_by_its_shelf() -> None:
    assert class_by_deal("AMCAR 2024-1 C") == "abs"
    assert class_by_deal("QQQQ 2024-1 C") is None
    assert is_of_class("AMCAR 2024-1 C", "abs")


def test_32nds_are_a_matter_of_class_and_currency() -> None:
    assert rules_of("govt_us").level_ticks("USD") is Ticks.cash
    assert rules_of("agency_ssa").level_ticks("USD") is Ticks.cash
    assert rules_of("agency_ssa").level_ticks("EUR") is Ticks.off
    assert rules_of("corp_hy").level_ticks("USD") is Ticks.off


def test_a_class_knows_its_market_by_the_instrument() -> None:
    assert rules_of("inflation_linked").market_of("UKTI 0.125 08/31") == "GBP"
    assert rules_of("cds_index").market_of("CDX HY 43") == "USD"
    assert rules_of("clo").spread is QuoteType.dm_bp


def test_munis_and_certificates_of_deposit_count_in_thousands() -> None:
    assert [rules_of(name).thousands for name in ("us_muni", "cd", "corp_ig", "unknown")] == [True, True, False, False]


def test_what_is_made_of_other_classes_names_the_class_of_a_heading() -> None:
    assert class_by_words("UST repo") == "repo"
    assert class_by_words("Repo on USTs") == "repo"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("OAT€i 0,10 07/36", "inflation_linked"), ("Avaya Post-reorg equity", "warrant_equity"), ("OAT 3 05/34", None)],
)
def test_some_forms_leave_no_doubt_whatever_stands_above(text: str, expected: str | None) -> None:
    assert class_by_instrument(text, strong=True) == expected


def test_a_word_inside_a_longer_phrase_names_no_class_of_its_own() -> None:
    assert classes_in("Peru soberanos / Chile BTP") == frozenset()
    assert classes_in("Peru soberanos / BTP") == {"govt_latam_local", "govt_intl"}
