from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from msgspec.structs import replace

from parsers.codes import MailState, PartState
from parsers.outcome import MailOutcome, PartOutcome
from parsers.taught import Taught
from pipelines.errors import NotConserved, ParsersDiffer
from pipelines.jobs.counts import Counts, check_written, counted
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.plan import Plan, new_plan
from pipelines.jobs.staged import StagedFile
from pipelines.jobs.staged import stage as stage_batches
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.folder import Folder

Make = Callable[..., MailOutcome]
Stage = Callable[[list[MailOutcome]], list[StagedFile]]


def plan(records: int) -> Plan:
    made = new_plan("extract", "g", [OffsetRange("mails", 0, 0, records)], Taught.load(None))
    return dataclasses.replace(made, parser_version="1.0.0")


@pytest.fixture
def stage(tmp_path: Path, positions: Callable[[int], list[pa.Array]]) -> Stage:
    """Write outcomes as the parse step does."""

    def write(outcomes: list[MailOutcome]) -> list[StagedFile]:
        staged = stage_batches([outcome_batch(positions(len(outcomes)), outcomes)], Folder(tmp_path), "0")
        assert staged is not None
        return [staged]

    return write


def test_states_of_mails_and_parts_are_counted(stage: Stage, outcome: Make) -> None:
    skipped = PartOutcome(part_path="2", state=PartState.skipped, content_type="image/png")
    failed = PartOutcome(part_path="3", state=PartState.rejected, content_type="application/pdf")
    empty = replace(outcome(), state=MailState.parsed_empty, quotes=(), rejects=(), parts=(skipped, failed))
    refused = replace(empty, state=MailState.rejected, parts=())
    got = counted(stage([outcome(), empty, refused]), plan(3))
    assert got == Counts(
        parser_version="1.0.0",
        records=3,
        mails=3,
        mails_parsed=1,
        mails_parsed_empty=1,
        mails_rejected=1,
        parts=3,
        parts_parsed=1,
        parts_skipped=1,
        parts_rejected=1,
        quotes=1,
        rejects=1,
    )


def test_a_record_without_an_outcome_stops_the_run(stage: Stage, outcome: Make) -> None:
    with pytest.raises(NotConserved, match="records = mails"):
        counted(stage([outcome()]), plan(2))


def test_a_record_with_two_outcomes_beside_one_with_none_stops_the_run(stage: Stage, outcome: Make) -> None:
    (staged,) = stage([outcome(), outcome()])
    twice = dataclasses.replace(staged, ranges=(OffsetRange("mails", 0, 0, 1),) * 2)
    with pytest.raises(NotConserved, match="one each"):
        counted([twice], plan(2))


def test_a_state_that_is_none_stops_the_run(stage: Stage, outcome: Make) -> None:
    stateless = replace(outcome(), state="lost")
    with pytest.raises(NotConserved, match="mails = parsed"):
        counted(stage([stateless]), plan(1))


def test_rows_that_did_not_reach_their_table_stop_the_run(stage: Stage, outcome: Make) -> None:
    counts = counted(stage([outcome()]), plan(1))
    check_written(plan(1), counts, {"quotes": 1, "mails": 1, "parts": 1, "rejects": 1})
    with pytest.raises(NotConserved, match="rows in parts"):
        check_written(plan(1), counts, {"quotes": 1, "mails": 1, "parts": 0, "rejects": 1})


def test_a_run_in_which_two_parser_versions_parsed_is_refused_with_both_named(stage: Stage, outcome: Make) -> None:
    staged = stage([outcome(), replace(outcome(), parser_version="1.0.1")])
    with pytest.raises(ParsersDiffer, match=r"planned for the parsers 1\.0\.0, and 1\.0\.1 parsed mails of it, too"):
        counted(staged, plan(2))
