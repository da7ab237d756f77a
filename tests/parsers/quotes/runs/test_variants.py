from __future__ import annotations

import pytest

from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.quoted.variants import variants


@pytest.mark.parametrize(
    ("text", "asset_class", "expected"),
    [
        ("F 5y snr 62/65, sub 118/124", "cds_single", ["F 5y snr 62/65", "F 5y sub 118/124"]),
        ("F snr 5y 62/65, sub 118/124", "cds_single", ["F snr 5y 62/65", "F sub 5y 118/124"]),
        ("OCP 2016-11X: AR 118/114dm, BR 172/168dm", "clo", ["OCP 2016-11X AR 118/114dm", "OCP 2016-11X BR 172/168dm"]),
        ("KKR XII 82/85, KKR XIII 90/93", "private_equity_secondary", ["KKR XII 82/85", "KKR XIII 90/93"]),
        ("UKT 4.25 34 98.1/98.2 and 4.5 35 99.2/99.3", "govt_intl", ["UKT 4.25 34 98.1/98.2", "UKT 4.5 35 99.2/99.3"]),
        ("5s 98/99 5.5s 99/100", "tba_mbs", ["5s 98/99", "5.5s 99/100"]),
    ],
)
def test_each_variant_has_the_common_name_and_its_own_level(text: str, asset_class: str, expected: list[str]) -> None:
    parts = variants(tokens(text, [], Conventions(tenors=asset_class == "cds_single")), asset_class)
    assert [" ".join(text[start:end] for start, end in spans) for spans in parts] == expected


def test_another_instrument_on_the_line_keeps_its_own_variants() -> None:
    text = "F 5y snr 40/42 sub 75/79 and GM 5y snr 35/37 sub 66/70"
    parts = variants(tokens(text, [], Conventions(tenors=True)), "cds_single")
    said = [" ".join(text[start:end] for start, end in spans) for spans in parts]
    assert said == ["F 5y snr 40/42", "F 5y sub 75/79", "GM 5y snr 35/37 sub 66/70"]


def test_a_measures_word_in_front_of_a_variant_goes_with_each_level() -> None:
    text = "FN 5.5 payups: LLB 22/24, MLB 16/18"
    parts = variants(tokens(text, []), "tba_mbs")
    said = [" ".join(text[start:end] for start, end in spans) for spans in parts]
    assert said == ["FN 5.5 LLB payups 22/24", "FN 5.5 MLB payups 16/18"]


@pytest.mark.parametrize(
    ("text", "asset_class"),
    [
        ("BBCMS 2023-C19 A5 101.4/101.6 J 105/100", "cmbs"),
        ("BBCMS 2023-C19 A5 101.4/101.6 J+105/100", "cmbs"),
        ("F 5y 182/188 sub", "cds_single"),
        ("BAC 5.2 34 T+85/80 98.5/98.7", "corp_ig"),
    ],
)
def test_several_measures_of_one_instrument_are_no_variants(text: str, asset_class: str) -> None:
    assert variants(tokens(text, []), asset_class) == []
