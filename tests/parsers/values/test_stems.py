"""Patterns behind stems."""

from __future__ import annotations

from parsers.values.stems import Stemmed


def test_a_text_with_a_stem_is_searched() -> None:
    words = Stemmed.of("axe better", r"\b(?:axe[ds]?|better\s+buyers?)\b")
    assert words.search("we are better buyers") is not None
    assert words.search("better sellers") is None


def test_a_text_without_any_stem_is_not_searched() -> None:
    assert Stemmed.of("axe", "levels").search("levels") is None
