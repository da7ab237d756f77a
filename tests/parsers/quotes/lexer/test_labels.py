from __future__ import annotations

from collections import Counter

from parsers.lexicon import Place, phrases
from parsers.quotes.lexer.labels import KINDS, LETTERS, MEASURES, SIDES, labels

WORDS = phrases(Place.level)


def test_a_word_says_one_thing() -> None:
    times = Counter(word for words in WORDS.values() for word in words)
    assert [word for word, count in times.items() if count > 1] == []


def test_words_stand_as_lines_are_asked_for_them_in_lower_case_and_without_what_trails() -> None:
    assert [word for word in labels() if word != word.lower() or word[-1] in ",;:)."] == []


def test_each_side_kind_and_measure_that_the_code_knows_has_words() -> None:
    assert (SIDES | KINDS | MEASURES | set(LETTERS.values())) - set(map(str, WORDS)) == set()
