from __future__ import annotations

from parsers.values.words import fold


def test_case_accents_and_punctuation_are_folded() -> None:
    assert fold("Títulos Públicos (R$) – 25Δ") == ("titulos", "publicos", "r$", "25d")


def test_a_dot_between_letters_parts_words_and_between_digits_does_not() -> None:
    assert fold("B.Px 0.5") == ("b", "px", "0.5")


def test_a_delta_is_a_change_but_of_an_option() -> None:
    assert fold("1W Px Δ") == ("1w", "px", "chg")
    assert fold("Δ 1d") == ("chg", "1d")
    assert [fold(text) for text in ("25Δ", "Δ")] == [("25d",), ("d",)]
