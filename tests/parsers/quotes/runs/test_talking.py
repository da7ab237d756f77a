"""What talk is of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]


@pytest.mark.parametrize(
    ("heading", "talk", "kind", "low"),
    [
        ("Talk in J spreads", "talk low 100s", "spread_swap_bp", 100),
        ("Talk in J spreads", "talk $82-84", "price_pct", 82),
        ("Talk", "talk low 90s", "price_pct", 90),
        ("Spread talk", "low 100s", "spread_swap_bp", 100),
        ("Spread talk", "70a", "spread_swap_bp", 70),
        ("Talk (spread to swaps)", "150/160", "spread_swap_bp", 150),
        ("Price talk", "94-96", "price_pct", 94),
        ("Talk", "talk 130s", "spread_swap_bp", 130),
    ],
)
def test_talk_is_of_what_its_heading_says_unless_it_says_so_itself(
    runs: Runs, heading: str, talk: str, kind: str, low: int
) -> None:
    (draft,) = runs(f"{heading}\n\nBMARK 2019-B14 AS    8mm     {talk}\n", subject="CMBS BWIC").drafts
    assert f"{draft.levels[0].quote_type} {draft.levels[0].talk_low}" == f"{kind} {low}"


def test_a_margin_talked_has_no_32nds(runs: Runs) -> None:
    (draft,) = runs("CAS 2023-R08 1B1  5mm  talk 235-240dm\n", subject="CRT BWIC").drafts
    assert f"{draft.levels[0].talk_low} {draft.levels[0].talk_high}" == "235 240"


def test_a_decade_of_basis_points_is_ten_wide(runs: Runs) -> None:
    (draft,) = runs("SDART 2024-3 D  7mm  talk 130s\n", subject="ABS BWIC").drafts
    assert f"{draft.levels[0].talk_low} {draft.levels[0].talk_high}" == "130 140"
