from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources

from parsers.quotes.runs.labels import KINDS, LETTERS, MEASURES, SIDES, labels

TABLE = tomllib.loads(resources.files("parsers.quotes.runs").joinpath("labels.toml").read_text("utf-8"))


def test_a_word_says_one_thing() -> None:
    assert [
        word for word, times in Counter(word for words in TABLE.values() for word in words).items() if times > 1
    ] == []


def test_words_stand_as_lines_are_asked_for_them_in_lower_case_and_without_what_trails() -> None:
    assert [word for word in labels() if word != word.lower() or word[-1] in ",;:)."] == []


def test_each_side_kind_and_measure_that_the_code_knows_has_words() -> None:
    assert (SIDES | KINDS | MEASURES | set(LETTERS.values())) - TABLE.keys() == set()
