"""parsers.lexicon: a phrase is one entry, read from files in any order; a slip in one is told with its file and line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from parsers.lexicon import Place, WordsBroken, entries, phrases, said
from parsers.lexicon.entries import FOLDER, entries_of
from parsers.lexicon.senses import names
from parsers.quotes.classes.naming import class_named
from parsers.quotes.headings.phrases import heading
from parsers.quotes.lexer.labels import labels
from parsers.values.words import fold

FILES = sorted(FOLDER.glob("*.toml"))
SLIPS = {
    'en = ["wide"]\n': (1, "'en' stands under no sense"),
    '\n[[width]]\nen = ["wide"]\n': (2, "'width' is no sense"),
    '[[two_way]]\nen = ["two way"]\n\n[[two_way]]\nnl = ["twee"]\n': (5, "'nl' is neither a language"),
    '[[two_way]]\n\nalso = ["level.width"]\n': (3, "'level.width' is no sense"),
    '[[two_way]]\n\nalso = "level.bid"\n': (3, "also is no list of senses"),
    "[[two_way]]\nweight = 0\n": (2, "weight 0 is no whole number"),
    '[[two_way]]\nen = ["two  way"]\n': (2, "'two  way' is no phrase"),
    '[[two_way]]\nen = ["two way", "two way"]\n': (2, "'two way' stands twice in en"),
    '[[two_way]]\nen = "two way"\n': (2, "en is no list of phrases"),
    '[[two_way]]\nen = ["two way"]\n[[better]]\nen = [\n  "more",\n  "two way",\n]\n': (
        6,
        "'two way' is an entry already, and says two_way",
    ),
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_slip_is_told_with_its_file_and_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "market.toml"
    file.write_text(text)
    line, told = SLIPS[text]
    with pytest.raises(WordsBroken) as raised:
        entries_of([file])
    assert str(raised.value).startswith(f"{file}:{line}: {told}")


def test_the_order_of_files_and_of_their_groups_changes_nothing(tmp_path: Path) -> None:
    chance = random.Random(20261128)
    for number, file in enumerate(chance.sample(FILES, len(FILES))):
        head, *groups = file.read_text("utf-8").split("\n[[")
        (tmp_path / f"{number}.toml").write_text("\n[[".join([head, *chance.sample(groups, len(groups))]), "utf-8")
    assert entries_of(sorted(tmp_path.iterdir())) == entries_of(FILES) == entries()


def test_a_phrase_is_one_entry_with_all_that_it_says_and_with_the_languages_of_its_group(tmp_path: Path) -> None:
    file = tmp_path / "market.toml"
    file.write_text(
        '[[two_way]]\nalso = ["heading.side.both"]\nweight = 3\nes = ["compra venta"]\nit = ["compra venta"]\n'
    )
    (entry,) = entries_of([file])
    assert (entry.phrase, entry.senses, entry.languages, entry.weight) == (
        "compra venta",
        ("two_way", "heading.side.both"),
        ("es", "it"),
        3,
    )


@pytest.mark.parametrize("place", [Place.heading, Place.subject])
def test_where_case_and_accents_say_nothing_phrases_are_apart_without_them(place: Place) -> None:
    folded = [fold(phrase) for phrase in said(place)]
    assert sorted(set(folded)) == sorted(folded)


def test_every_sense_has_words() -> None:
    assert {sense for entry in entries() for sense in entry.senses} == set(names())


def test_each_phrase_of_a_heading_is_found_in_one() -> None:
    missed = {
        phrase
        for phrase, senses in said(Place.heading).items()
        for facet, _, value in [senses[0].partition(".")]
        if value not in heading(phrase.upper()).meanings.get(facet, ())
    }
    assert not missed


def test_each_phrase_of_a_subject_names_its_class_and_no_phrase_two() -> None:
    assert {phrase: senses for phrase, senses in said(Place.subject).items() if len(senses) > 1} == {}
    named = {phrase: class_named(f"{phrase} 12") for phrase in said(Place.subject)}
    assert [phrase for phrase, found in named.items() if found is None] == []


def test_each_phrase_beside_a_level_is_a_label_and_says_one_thing() -> None:
    assert labels() == {word: sense for sense, words in phrases(Place.level).items() for word in words}
