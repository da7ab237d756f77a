from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Line
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.lines.noise import without_noise

HASH = "6d303f9914c66e4e3e9be04fbb5fd66cdc5dd9a38dd54db577c3dc3b43ae"


def bare(text: str) -> str:
    return without_noise(Line(1, text, 0)).text


@pytest.mark.parametrize(
    "word",
    [
        HASH,
        HASH.upper(),
        "6d303f99-14c6-4e4e-9be0-4fbb5fd66cdc",
        "qL8R1X+dk3JrJ0Zb7tQ0m2cV9yPzT4oWnF6uG5hSxEa1BvKj/IwUYlMDHeNCpqAsfgir",
        "desk42@mail7.example",
    ],
)
def test_a_word_that_only_a_machine_writes_is_blanked_and_nothing_changes_its_place(word: str) -> None:
    assert bare(f"id {word} of") == f"id {' ' * len(word)} of"
    assert bare(f"<{word}>") == f"<{' ' * len(word)}>"


@pytest.mark.parametrize(
    "text",
    [
        "XS2641318121/US0378331005",
        "5493001KJTIIGC8Y1R12",
        "ABC 5 34@98.5",
        "1Y12.5/2Y18.25/3Y22.5/5Y31.75/7Y40.5/10Y55",
        "10000000000000000000000",
        "GOVERNMENTOFSOMEWHERENEAR5",
        "aaaa.bbbb.cccc.dddd.5",
    ],
)
def test_what_a_desk_may_write_stays(text: str) -> None:
    assert bare(text) == text


def test_a_line_with_another_figure_stays_as_printed() -> None:
    text = f"{HASH} XYZ 5 03/34 98.25/98.75"
    assert bare(text) == text


def test_a_row_of_a_table_keeps_its_cells() -> None:
    for text in (f"{HASH}|XYZ|AA", f"{HASH}\tXYZ", f"{HASH}   XYZ"):
        assert bare(text) == text


def test_a_hash_names_no_bonds_of_the_lines_below(runs: Callable[..., RunResult]) -> None:
    below = runs("HY RUN\nFORD MOTOR CREDIT\nid 6d303f99-14c6-4e4e-9be0-4fbb5fd66cdc\n5.8 03/27 101.2/101.5\n")
    assert "6d303f99" not in (below.drafts[0].instrument.description or "")
