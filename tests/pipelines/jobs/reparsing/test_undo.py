from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from pipelines.errors import BadSelection, NotUndoable
from pipelines.jobs.extract import extract
from pipelines.jobs.reparsing import undo as undoing
from pipelines.jobs.reparsing.reparse import reparse
from pipelines.jobs.reparsing.undo import undo
from pipelines.jobs.upkeep.maintain import maintain
from pipelines.tables.publication import latest, remove
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow

ParserThat = Callable[[Callable[[MailOutcome], MailOutcome]], None]


def changed(home: Home, ranges: list[OffsetRange], parser_that: ParserThat) -> str:
    """A reparse that changes rows; its run."""
    parser_that(lambda outcome: replace(outcome, quotes=outcome.quotes[1:]))
    return reparse(home.settings, home.log, ranges, override="to see").plan.run_id


def test_an_undo_gives_the_rows_of_before_and_can_be_undone(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    rows = small.outcomes()
    run_id = changed(small, everything, parser_that)
    other = small.outcomes()
    assert other != rows
    undone = undo(small.settings, run_id)
    assert small.outcomes() == rows
    assert (undone.row["kind"], undone.row["undoes"]) == ("undo", run_id)
    assert {name: undone.row[name] for name in rows} == {name: len(found) for name, found in rows.items()}
    undo(small.settings, undone.plan.run_id)
    assert small.outcomes() == other


def test_an_undo_touches_nothing_else_also_after_maintain(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    """Others are reparsed and all files compacted between the two."""
    first, *others = everything
    rows = small.outcomes()
    run_id = changed(small, [first], parser_that)
    reparse(small.settings, small.log, others, override="to see")
    rest = {
        name: [row for row in found if row["log_partition"] != first.partition]
        for name, found in small.outcomes().items()
    }
    maintain(small.settings)
    undo(small.settings, run_id)
    after = small.outcomes()
    for name, found in after.items():
        assert [row for row in found if row["log_partition"] != first.partition] == rest[name]
        assert [row for row in found if row["log_partition"] == first.partition] == [
            row for row in rows[name] if row["log_partition"] == first.partition
        ]


def test_what_another_run_has_written_over_since_is_not_undone(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    run_id = changed(small, everything, parser_that)
    later = reparse(small.settings, small.log, everything[:1]).plan.run_id
    before = latest(small.store)
    with pytest.raises(NotUndoable, match=f"reparse {later} has written rows of .* undo that one first"):
        undo(small.settings, run_id)
    assert latest(small.store) == before


def test_it_is_not_undone_either_where_the_clock_was_ahead_when_it_was_made(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        ahead = SimpleNamespace(now=lambda zone: datetime.now(zone) + timedelta(days=40))
        patched.setattr("pipelines.jobs.run.datetime", ahead)
        run_id = changed(small, everything, parser_that)
    reparse(small.settings, small.log, everything[:1])
    with pytest.raises(NotUndoable, match="undo that one first"):
        undo(small.settings, run_id)


def test_a_run_whose_publication_is_gone_is_not_undone(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    run_id = changed(small, everything, parser_that)
    remove(small.store, [latest(small.store).number - 1])
    with pytest.raises(NotUndoable, match="cannot be undone any more"):
        undo(small.settings, run_id)


def test_maintain_spares_what_an_undo_reads(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept for its age; the next time all goes that the undo has read."""
    tables = dataclasses.replace(small.settings.tables, keep_s=-60.0, keep_publications=1)
    at_once = dataclasses.replace(small.settings, tables=tables)
    rows, first = small.outcomes(), latest(small.store).number
    run_id = changed(small, everything, parser_that)
    own = undoing._made

    def made(*arguments: Any) -> Any:
        assert maintain(at_once).publications == 0
        return own(*arguments)

    monkeypatch.setattr(undoing, "_made", made)
    undo(small.settings, run_id)
    assert small.outcomes() == rows
    assert maintain(at_once).publications == latest(small.store).number - first


def test_only_a_reparse_can_be_undone(small: Home) -> None:
    (run,) = small.rows("runs")
    with pytest.raises(BadSelection, match="is of kind extract"):
        undo(small.settings, run["run_id"])
    with pytest.raises(BadSelection, match="no published run"):
        undo(small.settings, "20261124T081500-0123abcd")


def test_records_that_were_not_extracted_before_have_no_rows_again(fresh: Home) -> None:
    small = fresh
    extract(small.settings, small.log, small.group, small.topic, 3)
    rows = small.outcomes()
    everything = [OffsetRange(*source, 0, end) for source, end in small.ends.items()]
    run = reparse(small.settings, small.log, everything)
    assert len(small.rows("mails")) > len(rows["mails"])
    undo(small.settings, run.plan.run_id)
    assert small.outcomes() == rows
