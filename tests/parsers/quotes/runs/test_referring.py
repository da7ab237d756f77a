from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("IBERDROLA 0.8 27  112/112.5 @ 15.10", [("112", "112.5", "15.10", None)]),
        ("IBERDROLA 0.8 27  112/112.5 2x2 @ 15.10 38%", [("112", "112.5", "15.10", "38")]),
        ("CELLNEX 0.75 31        88.25  88.75  @ 31.20  38%", [("88.25", "88.75", "31.20", "38")]),
        ("SAFRAN 0 28       101.25/101.75 ref 95.40 d44", [("101.25", "101.75", "95.40", "44")]),
        ("IBERDROLA 0.8 27 @ 112.5", [(None, "112.5", None, None)]),
        ("IBERDROLA 0.8 27  112 @ 112.5", [("112", "112.5", None, None)]),
    ],
)
def test_at_behind_both_sides_of_a_convertible_stands_its_stock(
    runs: Runs, line: str, expected: list[tuple[str | None, ...]]
) -> None:
    (draft,) = runs(f"{line}\n", "Convertible bonds").drafts
    found = [(level.bid, level.ask, level.ref_price, level.delta_pct) for level in draft.levels]
    assert found == [tuple(Fraction(value) if value else None for value in values) for values in expected]


def test_in_another_class_the_offer_stays_one(runs: Runs) -> None:
    (draft,) = runs("IBERDROLA 0.8 27  112/112.5 @ 15.10\n", "HY RUN").drafts
    assert len(draft.levels) == 2
