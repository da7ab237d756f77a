from __future__ import annotations

import pytest

from parsers.quotes.classes import class_by_words, classes_in
from parsers.quotes.classes.naming import sector_class


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
        ("Pfandbriefliste vom Vormittag", "covered_bond"),
        ("EM Sovereign CDS", "cds_single"),
        ("SASB floaters", "cmbs"),
        ("ZC-Inflationsswaps EUR", "inflation_swap"),
        ("EM Sovereign CDS, USD, bp, bid/offer", "cds_single"),
        ("Yankee CDs", "cd"),
        ("NEW ISSUE & SECONDARY CDs", "cd"),
        ("LATAM CORPORATES", "em_hard_ccy"),
        ("IG bonds and CDS", "corp_ig"),
        ("IG S47 5Y", "cds_index"),
        ("IG 19 Nov", "corp_ig"),
        ("Good morning", None),
        ("US-Staatsanleihen", "govt_us"),
        ("Obligations indexées: OATi", "inflation_linked"),
        ("Supranacionales", "agency_ssa"),
        ("Obbligazioni bancarie garantite", "covered_bond"),
        ("Prêts syndiqués", "leveraged_loan"),
        ("Operações compromissadas", "repo"),
        ("Options de change", "fx_option"),
        ("CDS em USD", "cds_single"),
    ],
)
def test_the_longest_phrase_of_a_heading_names_the_class(text: str, expected: str | None) -> None:
    assert class_by_words(text) == expected


def test_what_is_made_of_other_classes_names_the_class_of_a_heading() -> None:
    assert class_by_words("UST repo") == "repo"
    assert class_by_words("Repo on USTs") == "repo"


def test_a_word_inside_a_longer_phrase_names_no_class_of_its_own() -> None:
    assert classes_in("Peru soberanos / Chile BTP") == frozenset()
    assert classes_in("Peru soberanos / BTP") == {"govt_latam_local", "govt_intl"}


def test_percents_of_a_german_nominal_are_no_gilts() -> None:
    assert class_by_words("Kurse in CHF (in % des Nominals)") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("AT1", "financial_sub"), ("Covered bonds", "covered_bond"), ("Student loans", None), ("Utilities", None)],
)
def test_a_sector_names_a_class_by_all_its_words(text: str, expected: str | None) -> None:
    assert sector_class(text) == expected
