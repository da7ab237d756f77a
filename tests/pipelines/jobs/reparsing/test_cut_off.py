"""What was cut off amid its commits, and is done a second time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from pipelines.errors import JobCutOff, NotUndoable
from pipelines.jobs import parse_step
from pipelines.jobs.recovery import finish
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.reparse import execute, reparse
from pipelines.jobs.reparsing.shadow import make
from pipelines.jobs.reparsing.undo import undo
from pipelines.tables.commits import commit as commit_one
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow

CutOff = Callable[[Callable[[], object]], None]
ParserThat = Callable[[Callable[[MailOutcome], MailOutcome]], None]


@pytest.fixture
def cut_off(monkeypatch: pytest.MonkeyPatch) -> CutOff:
    """Do something, of which the second table's commit cannot be made."""

    def cut(do: Callable[[], object]) -> None:
        made: list[int] = []

        def commit(*arguments: Any, **more: Any) -> int:
            if made:
                raise JobCutOff("no space left")
            made.append(commit_one(*arguments, **more))
            return made[0]

        with monkeypatch.context() as patched:
            patched.setattr("pipelines.jobs.committing.commit", commit)
            with pytest.raises(JobCutOff):
                do()

    return cut


def without_first(outcome: MailOutcome) -> MailOutcome:
    return replace(outcome, quotes=outcome.quotes[1:])


def test_the_second_try_of_publishing_a_shadow_publishes_and_ends_it(
    small: Home, everything: list[OffsetRange], cut_off: CutOff
) -> None:
    rows = small.outcomes()
    made = make(small.settings, small.log, everything, "{}")
    cut_off(lambda: execute(small.settings, small.log, made))
    again = execute(small.settings, small.log, made)
    assert again.plan.run_id == made.id
    assert again.publication == latest(small.store).number == made.base.number + 1
    assert shadows.all_of(small.store) == []
    assert small.outcomes() == rows


def test_the_second_try_says_so_too_where_another_process_came_first(
    small: Home, everything: list[OffsetRange], cut_off: CutOff
) -> None:
    made = make(small.settings, small.log, everything, "{}")
    cut_off(lambda: execute(small.settings, small.log, made))
    finish(small.settings)
    again = execute(small.settings, small.log, made)
    assert (again.row["run_id"], again.publication) == (made.id, latest(small.store).number)
    assert shadows.all_of(small.store) == []


def test_the_second_try_of_a_reparse_parses_nothing_again(
    small: Home, everything: list[OffsetRange], cut_off: CutOff, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = latest(small.store).number
    cut_off(lambda: reparse(small.settings, small.log, everything))
    (left,) = shadows.all_of(small.store)

    def outcome(*_: object) -> MailOutcome:
        raise AssertionError("a mail was parsed")

    monkeypatch.setattr(parse_step, "_outcome", outcome)
    again = reparse(small.settings, small.log, everything)
    assert (again.plan.run_id, again.publication) == (left.id, before + 1)
    assert shadows.all_of(small.store) == []


def test_the_second_try_of_an_undo_puts_the_rows_back(
    small: Home, everything: list[OffsetRange], cut_off: CutOff, parser_that: ParserThat
) -> None:
    rows = small.outcomes()
    parser_that(without_first)
    run_id = reparse(small.settings, small.log, everything, override="to see").plan.run_id
    cut_off(lambda: undo(small.settings, run_id))
    again = undo(small.settings, run_id)
    assert (again.row["undoes"], again.publication) == (run_id, latest(small.store).number)
    assert small.outcomes() == rows
    with pytest.raises(NotUndoable, match=f"was undone already, by {again.plan.run_id}"):
        undo(small.settings, run_id)


def test_a_shadow_is_compared_with_what_was_cut_off_before_it(
    small: Home, everything: list[OffsetRange], cut_off: CutOff
) -> None:
    first = make(small.settings, small.log, everything, "{}")
    cut_off(lambda: execute(small.settings, small.log, first))
    made = make(small.settings, small.log, everything[:1], "{}")
    assert made.base.run_id == first.id
    assert execute(small.settings, small.log, made).plan.run_id == made.id
