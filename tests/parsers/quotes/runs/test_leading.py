from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quotes.runs import RunResult


@pytest.mark.parametrize(
    ("text", "name", "bid", "ask"),
    [
        ("98.5 bid CHTR 5.125 05/27", "CHTR 5.125 05/27", "98.5", None),
        ("Best I can do is 104.25 bid for 2mm KBCBB 8 PERP c28.", "KBCBB 8 PERP c28", "104.25", None),
        ("I am 98.75 offered on 5mm F 6.125 03/34", "F 6.125 03/34", None, "98.75"),
        ("We're 98.5 at 99.25 on the TDG 6.375 33s", "TDG 6.375 33s", "98.5", "99.25"),
    ],
)
def test_a_level_in_front_of_a_bond_is_the_bonds(
    runs: Callable[..., RunResult], text: str, name: str, bid: str | None, ask: str | None
) -> None:
    (draft,) = runs(text + "\n", "Markets").drafts
    (level,) = draft.levels
    sides = (level.bid, level.ask)
    assert draft.instrument.description == name
    assert [None if side is None else float(side) for side in sides] == [bid and float(bid), ask and float(ask)]


def test_a_coupon_at_a_price_is_no_market(runs: Callable[..., RunResult]) -> None:
    (draft,) = runs("CCL 5.75 27 at 99.25\n", "Markets").drafts
    assert (draft.levels[0].bid, draft.levels[0].ask, float(draft.levels[0].mid or 0)) == (None, None, 99.25)


def test_a_sentence_that_goes_on_to_another_bond_is_no_level_of_the_first(runs: Callable[..., RunResult]) -> None:
    line = "We're 98.5 at 99.25 on the TDG 6.375 33s, 2 by 3. CCL 5.75 27s last traded 100.625.\n"
    found = [(draft.instrument.description, draft.levels) for draft in runs(line, "Markets").drafts]
    assert [name for name, _ in found] == ["TDG 6.375 33s", "CCL 5.75 27s"]
    assert [float(level.bid or level.mid or 0) for _, (level,) in found] == [98.5, 100.625]
