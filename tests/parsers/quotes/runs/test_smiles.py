"""Options without a word beside those that have one."""

from __future__ import annotations

from collections.abc import Callable

from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]


def test_beside_risk_reversals_an_option_that_says_nothing_is_at_the_money(runs: Runs) -> None:
    drafts = runs("1M  11.5/12.1\n1M 25RR  2.1/2.6\n", subject="USDMXN vols").drafts
    assert [(draft.instrument.description, draft.levels[0].option_struct) for draft in drafts] == [
        ("USDMXN 1M", "atm"),
        ("USDMXN 1M 25RR", "rr25"),
    ]


def test_an_option_alone_is_what_it_says(runs: Runs) -> None:
    (draft,) = runs("1M  11.5/12.1\n", subject="USDMXN vols").drafts
    assert draft.levels[0].option_struct is None


def test_the_option_beside_a_risk_reversal_is_at_the_money(runs: Runs) -> None:
    (draft,) = runs("EURUSD 1M 7.25/7.55 25RR 0.10/0.30\n", subject="FX options").drafts
    first, second = draft.levels
    assert (first.option_struct, second.option_struct) == ("atm", "rr25")
