from __future__ import annotations

import pytest

from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.shortened import beginnings, dotted, skeletons, spelled_out

KNOWN = {
    "size": (("size", "size"),),
    "trade": (("kind", "trade"),),
    "nominal": (("size", "size"),),
    "nominalzins": (("field", "coupon"),),
    "obligation": (("field", "description"),),
    "obligor": (("field", "issuer"),),
    "taxa": (("measure", "yield_pct"),),
}


def whole(word: str, *, is_cut: bool = False) -> tuple[str, ...]:
    return spelled_out(word, KNOWN, skeletons(KNOWN), beginnings(KNOWN), is_cut=is_cut)


def test_a_side_may_be_glued_to_what_it_is_of() -> None:
    assert whole("bsize") == ("b", "size")
    assert heading("BSz").one("letter_side") == "bid"
    assert heading("OYld").one("letter_side") == "ask"


@pytest.mark.parametrize(
    ("text", "facet", "value"),
    [
        ("BidSz", "size", "size"),
        ("AskPx", "measure", "price"),
        ("PxBid", "side", "bid"),
        ("OfrSprd", "measure", "spread"),
    ],
)
def test_two_words_may_be_glued_if_one_is_a_side(text: str, facet: str, value: str) -> None:
    assert heading(text).one(facet) == value


def test_a_word_may_stand_without_its_vowels() -> None:
    assert whole("trd") == ("trade",)


def test_a_word_with_a_dot_is_the_one_that_begins_so() -> None:
    assert whole("nom", is_cut=True) == ("nominal",)
    assert (dotted("Px Vend. Ac."), dotted("Px")) == (["Vend"], [])
    assert heading("Px Vend.").one("side") == "ask"


def test_a_word_without_a_dot_is_not_completed() -> None:
    assert whole("tax") == ("tax",)


def test_what_may_be_two_things_is_neither() -> None:
    assert whole("obl", is_cut=True) == ("obl",)


@pytest.mark.parametrize("word", ["x", "bz", "12m", "frob"])
def test_what_stands_for_nothing_is_left_as_it_is(word: str) -> None:
    assert whole(word, is_cut=True) == (word,)
