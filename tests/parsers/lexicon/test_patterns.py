"""parsers.lexicon: a pattern that names a sense finds each of its words, however they are printed."""

from __future__ import annotations

import re
import unicodedata

import pytest

from parsers.lexicon import Place, compiled, listed, phrases, spelled
from parsers.lexicon.patterns import alternation

SPOKEN = phrases(Place.sentence)


def printed(phrase: str) -> set[str]:
    """Ways in which a phrase stands in mails."""
    plain = "".join(one for one in unicodedata.normalize("NFD", phrase) if not unicodedata.combining(one))
    ways = {phrase, plain.replace("ß", "ss"), phrase.upper(), phrase.replace("'", "’")}
    return ways | {way.replace(" ", "\u00a0") for way in ways} | {way.replace(" ", "  ") for way in ways}


@pytest.mark.parametrize("sense", SPOKEN)
def test_each_phrase_is_found_in_any_case_without_accents_and_with_any_blanks(sense: str) -> None:
    pattern = compiled(f"{{{sense}}}", re.IGNORECASE)
    missed = [way for phrase in SPOKEN[sense] for way in printed(phrase) if pattern.fullmatch(way) is None]
    assert not missed


@pytest.mark.parametrize("sense", SPOKEN)
def test_a_trie_matches_what_its_words_match_one_by_one(sense: str) -> None:
    one_by_one = re.compile(listed(f"{{{sense}}}"))
    words = {word for phrase in SPOKEN[sense] for word in (phrase, phrase[:-1], f"{phrase}s", phrase.partition(" ")[0])}
    pattern = compiled(f"{{{sense}}}")
    assert [word for word in words if bool(pattern.fullmatch(word)) != bool(one_by_one.fullmatch(word))] == []


def test_a_trie_has_each_letter_once_and_finds_the_longest_word_first() -> None:
    assert alternation(["bid", "bids", "bidding", "ask", "a"]) == "(?:bid(?:s|ding)?|a(?:sk)?)"
    found = re.match(alternation(["bid", "bid side"]), "bid  side")
    assert found is not None
    assert found[0] == "bid  side"


def test_what_repeats_something_names_no_sense() -> None:
    assert spelled(r"\d{1,2}x{3}") == r"\d{1,2}x{3}"
    with pytest.raises(ValueError, match="no_such_sense"):
        spelled("{no_such_sense}")
