from __future__ import annotations

from parsers.codes import AssetClass, QuoteType
from parsers.quotes.classes import rules_of
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
