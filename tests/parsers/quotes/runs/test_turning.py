from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from parsers.codes import Flag
from parsers.quotes.runs.reader import RunResult

Runs = Callable[..., RunResult]


def test_a_block_written_tight_side_first_is_turned_round_and_flagged(runs: Runs) -> None:
    text = "IG\nA 5 03/34 T+80/85\nB 5 03/34 T+90/95\nC 5 03/34 T+60/66\n"
    levels = [draft.levels[0] for draft in runs(text).drafts]
    assert [(level.bid, level.ask) for level in levels] == [
        (Fraction(85), Fraction(80)),
        (Fraction(95), Fraction(90)),
        (Fraction(66), Fraction(60)),
    ]
    assert all(Flag.side_assumed in level.flags for level in levels)
    told = runs(text.replace("IG\n", "IG, bid/offer\n")).drafts
    assert told[0].levels[0].bid == 80


def test_a_side_that_a_word_names_is_not_turned_round(runs: Runs) -> None:
    pairs = "".join(f"A{rate} {rate} 03/34 T+{80 + rate}/{85 + rate}\n" for rate in range(1, 11))
    text = (
        f"IG\n{pairs}D 5 03/34 bid T+120\nE 5 03/34 T+130 offered\nF 5 03/34 bid T+140 offer T+135\nG 5 03/34 T+150/\n"
    )
    levels = [draft.levels[0] for draft in runs(text).drafts]
    assert [(level.bid, level.ask) for level in levels[-4:]] == [(120, None), (None, 130), (140, 135), (None, 150)]
    assert all(level.bid is not None and level.ask is not None and level.bid > level.ask for level in levels[:10])
