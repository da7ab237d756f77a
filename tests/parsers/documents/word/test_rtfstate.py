"""What control words say of the text to come, one after the other."""

from __future__ import annotations

from functools import reduce

import pytest

from parsers.documents.word.rtfstate import State, formatted


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("b strike", State(bold=True, struck=True), id="marks add up"),
        pytest.param("b strike plain", State(), id="plain ends all"),
        pytest.param("sub", State(raised=True), id="what is lowered is no digit either"),
        pytest.param("super dn", State(), id="a line set lower is not"),
        pytest.param("v deleted -v", State(unseen=frozenset({"deleted"})), id="each hides by itself"),
        pytest.param("* b plain", State(unread=True), id="nothing counts in what is not read"),
        pytest.param("nobodyknows", State(), id="others say nothing"),
    ],
)
def test_words_say_how_the_text_behind_them_looks(words: str, expected: State) -> None:
    def behind(state: State, word: str) -> State:
        return formatted(state, word.removeprefix("-"), is_on=not word.startswith("-"))

    assert reduce(behind, words.split(), State()) == expected
