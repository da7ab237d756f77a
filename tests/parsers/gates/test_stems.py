"""Patterns behind stems, which the pattern tells."""

from __future__ import annotations

import pytest

from parsers.gates.stems import Stemmed, stems


def test_a_text_with_a_stem_is_searched() -> None:
    words = Stemmed.of(r"\b(?:axe[ds]?|better\s+buyers?)\b")
    assert words.search("we are better buyers") is not None
    assert words.search("better sellers") is None


def test_a_text_without_any_stem_is_not_searched() -> None:
    words = Stemmed.of("levels")
    assert not words.passes("bonds")
    assert words.search("bonds") is None


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"\b(?:two[- ](?:ways?|sided)|2[- ]ways?)\b", {"2 way", "2-way", "two ", "two-"}),
        (r"\bst[üu]cke?\b", {"stück", "stuck"}),
        (r"\b(?:covers|cvrs|(?:cover|cvr)\s+bids?)\b", {"bid", "covers", "cvrs"}),
        (r"(?:(?:usd|eur)\s)?amounts?", {"amount"}),
        (r"\b(?:vendemos|vendiamo)\b(?!\s+nada)", {"vend"}),
        (r"(?:axe)+d{2}", {"axe"}),
    ],
)
def test_few_and_long_strings_are_the_stems_of_which_every_match_has_one(pattern: str, found: set[str]) -> None:
    assert set(stems(pattern)) == found


def test_a_pattern_whose_matches_need_no_letters_has_no_stems() -> None:
    with pytest.raises(ValueError, match="need have any letters"):
        stems(r"(?:axe)?\d+")
