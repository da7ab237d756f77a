from __future__ import annotations

from parsers.values.words import fold


def test_case_accents_and_punctuation_are_folded() -> None:
    assert fold("Títulos Públicos (R$) – 25Δ") == ("titulos", "publicos", "r$", "25d")
