from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from pipelines.errors import NotAllowed
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.gate import tripped
from pipelines.jobs.reparsing.reparse import execute, reparse
from pipelines.jobs.reparsing.shadow import make
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow

ParserThat = Callable[[Callable[[MailOutcome], MailOutcome]], None]


def a_dealer_of(home: Home) -> str:
    """One with two-way quotes."""
    return next(str(row["dealer"]) for row in home.rows("quotes") if row["dealer"] and row["bid"] and row["ask"])


def test_a_parser_that_drops_the_asks_of_a_dealer_is_stopped_by_name_and_a_mended_one_passes(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    rows, before, dealer = small.outcomes(), latest(small.store), a_dealer_of(small)
    broken = [True]

    def change(outcome: MailOutcome) -> MailOutcome:
        if not broken[0]:
            return outcome
        quotes = (replace(each, ask=None) if each.dealer == dealer else each for each in outcome.quotes)
        return replace(outcome, quotes=tuple(quotes))

    parser_that(change)
    with pytest.raises(
        NotAllowed, match=rf"{dealer}, \w+: \d+ of \d+ quotes would have another ask \(\[reparse\]"
    ) as told:
        reparse(small.settings, small.log, everything)
    (left,) = shadows.all_of(small.store)
    assert f"otclog shadow diff {left.id}" in str(told.value)
    assert latest(small.store) == before
    assert {each.dealer for each in tripped(small.store, left, small.settings.reparse)} == {dealer}
    broken[0] = False
    reparse(small.settings, small.log, everything)
    assert small.outcomes() == rows


def test_what_the_gate_stops_is_published_with_a_reason_which_the_run_keeps(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    parser_that(lambda outcome: replace(outcome, quotes=outcome.quotes[1:]))
    made = make(small.settings, small.log, everything, "{}")
    limits = {each.limit for each in tripped(small.store, made, small.settings.reparse)}
    assert limits == {"lost_rows"}
    summary = execute(small.settings, small.log, made, "the desk asked for it")
    (run,) = [row for row in small.rows("runs") if row["run_id"] == summary.plan.run_id]
    assert run["override_reason"] == "the desk asked for it"
    assert run["shadow_of"] == made.plan.shadow_of


def test_a_reason_is_kept_only_where_one_was_needed(small: Home, everything: list[OffsetRange]) -> None:
    summary = reparse(small.settings, small.log, everything, override="to be sure")
    (run,) = [row for row in small.rows("runs") if row["run_id"] == summary.plan.run_id]
    assert run["override_reason"] is None


def test_sides_that_change_places_are_their_own_limit(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    def swap(outcome: MailOutcome) -> MailOutcome:
        return replace(outcome, quotes=tuple(replace(each, bid=each.ask, ask=each.bid) for each in outcome.quotes))

    parser_that(swap)
    made = make(small.settings, small.log, everything, "{}")
    limits = {each.limit for each in tripped(small.store, made, small.settings.reparse)}
    assert limits == {"swapped_sides", "changed_levels"}
