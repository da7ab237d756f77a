from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from pipelines.errors import BadSelection, TableBusy, TablesDamaged
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.changes import differing, summary
from pipelines.jobs.reparsing.reparse import execute
from pipelines.jobs.reparsing.shadow import drop, make
from pipelines.jobs.run import commit_made
from pipelines.jobs.upkeep.maintain import maintain, to_do
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

ParserThat = Callable[[Callable[[MailOutcome], MailOutcome]], None]


def without_asks(outcome: MailOutcome) -> MailOutcome:
    return replace(outcome, quotes=tuple(replace(quote, ask=None) for quote in outcome.quotes))


def without_first(outcome: MailOutcome) -> MailOutcome:
    return replace(outcome, quotes=outcome.quotes[1:])


def data_files(home: Home) -> set[str]:
    return {str(file) for file in home.tables.rglob("*.zstd.parquet")}


def test_a_shadow_changes_nothing_and_says_each_row_that_would_be_another_one(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    rows, before = small.outcomes(), latest(small.store)
    parser_that(without_asks)
    made = make(small.settings, small.log, everything, "{}")
    assert small.outcomes() == rows
    assert latest(small.store) == before
    found = [row for row in differing(small.store, made) if row["table"] == "quotes"]
    asked = Counter((row["record_id"], str(row["ask"])) for row in rows["quotes"] if row["ask"] is not None)
    assert Counter((row["record_id"], row["fields"][0]["before"]) for row in found) == asked
    assert {(row["kind"], row["reason"], len(row["fields"]), row["fields"][0]["after"]) for row in found} == {
        ("changed", "level gone", 1, None)
    }
    counted = summary(small.store, made)
    assert sum(row["rows"] for row in counted if row["table"] == "quotes") == asked.total()
    assert sum(each.before for each in made.levels) == len(rows["quotes"])


def test_the_differences_are_those_of_exported_tables(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    """Where the shadow is published, what came and went is what it said."""
    from pipelines.jobs.reparsing.reparse import execute

    before = small.outcomes()
    parser_that(without_first)
    made = make(small.settings, small.log, everything, "{}")
    told = Counter((row["table"], row["kind"]) for row in differing(small.store, made))
    execute(small.settings, small.log, made, "to see")
    after = small.outcomes()
    gone = {row["record_id"] for row in before["quotes"]} - {row["record_id"] for row in after["quotes"]}
    lost = [row for row in before["quotes"] if row not in after["quotes"]]
    assert gone
    assert told["quotes", "lost"] == len(lost)
    assert told["quotes", "added"] == told["rejects", "added"] == 0
    assert told["mails", "changed"] == len([row for row in before["mails"] if row not in after["mails"]])


def test_a_quote_whose_type_is_read_otherwise_has_changed_and_is_not_lost(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    def as_yields(outcome: MailOutcome) -> MailOutcome:
        return replace(
            outcome,
            quotes=tuple(
                replace(quote, quote_type="yield_pct", record_id=f"{number:064x}")
                for number, quote in enumerate(outcome.quotes)
            ),
        )

    parser_that(as_yields)
    made = make(small.settings, small.log, everything, "{}")
    quotes = [row for row in differing(small.store, made) if row["table"] == "quotes"]
    assert {row["kind"] for row in quotes} == {"changed"}
    assert {row["reason"] for row in quotes} >= {"level changed"}
    assert all(row["record_id"] != row["record_id_after"] for row in quotes)


def test_a_shadow_is_spared_until_it_is_dropped_or_old(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    parser_that(without_asks)
    no_grace = dataclasses.replace(small.settings.tables, keep_s=-60.0)
    at_once = dataclasses.replace(small.settings, tables=no_grace)
    before = data_files(small)
    made = make(small.settings, small.log, everything, "{}")
    with_shadow = data_files(small)
    assert with_shadow > before
    assert maintain(at_once).shadows == 0
    assert shadows.one(small.store, made.id[:20]) == made
    assert with_shadow - before <= data_files(small)
    aged = dataclasses.replace(at_once, reparse=dataclasses.replace(small.settings.reparse, shadow_keep_s=1e-6))
    assert to_do(aged).shadows == maintain(aged).shadows == 1
    assert shadows.all_of(small.store) == []
    assert not (with_shadow - before) & data_files(small)
    assert not list((small.tables / "_shadows").rglob("*.parquet"))


def test_a_dropped_shadow_leaves_no_file(small: Home, everything: list[OffsetRange]) -> None:
    before = data_files(small)
    made = make(small.settings, small.log, everything, "{}")
    drop(small.store, made.id)
    assert data_files(small) == before
    with pytest.raises(BadSelection, match="there is no shadow"):
        shadows.one(small.store, made.id)


def test_a_shadow_that_is_being_published_cannot_be_dropped(
    small: Home, everything: list[OffsetRange], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(small.settings, small.log, everything, "{}")
    aged = dataclasses.replace(small.settings, reparse=dataclasses.replace(small.settings.reparse, shadow_keep_s=1e-6))

    monkeypatch.setattr("pipelines.jobs.reparsing.shadow.WAIT_S", 0.1)

    def drop_meanwhile(*arguments: Any, **more: Any) -> Any:
        with pytest.raises(TableBusy):
            drop(small.store, made.id)
        assert maintain(aged).shadows == 0
        return commit_made(*arguments, **more)

    monkeypatch.setattr("pipelines.jobs.reparsing.reparse.commit_made", drop_meanwhile)
    rows = small.outcomes()
    execute(small.settings, small.log, made)
    assert small.outcomes() == rows
    assert latest(small.store).run_id == made.id


def test_a_shadow_that_was_dropped_since_it_was_read_is_not_published(
    small: Home, everything: list[OffsetRange], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, before = make(small.settings, small.log, everything, "{}"), latest(small.store)

    def drop_first(*_: object) -> list[object]:
        drop(small.store, made.id)
        return []

    monkeypatch.setattr("pipelines.jobs.reparsing.reparse.tripped", drop_first)
    with pytest.raises(BadSelection, match="there is no shadow"):
        execute(small.settings, small.log, made)
    assert latest(small.store) == before


def test_a_shadow_made_while_the_last_publication_is_yet_to_come_by_the_clock_is_published(
    small: Home, everything: list[OffsetRange]
) -> None:
    file = small.tables / "_published" / f"{latest(small.store).number}.json"
    ahead = (datetime.now(UTC) + timedelta(days=40)).isoformat()
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"published_at": ahead}))
    made = make(small.settings, small.log, everything, "{}")
    assert execute(small.settings, small.log, made).plan.run_id == made.id


@pytest.mark.parametrize("step", ["write_differences", "replaced", "latest", "hold_tables", "made_of"])
def test_a_shadow_that_cannot_be_made_leaves_nothing(
    small: Home, everything: list[OffsetRange], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: Any) -> None:
        raise OSError("no space left")

    before = data_files(small)
    name = f"_{step}" if step == "write_differences" else step
    with monkeypatch.context() as patched:
        patched.setattr(f"pipelines.jobs.reparsing.shadow.{name}", fail)
        with pytest.raises(OSError, match="no space left"):
            make(small.settings, small.log, everything, "{}")
    assert data_files(small) == before
    assert not list(small.tables.glob("_s*/*/*"))


def test_what_a_killed_driver_leaves_of_a_shadow_goes_with_the_next_maintain(
    small: Home, everything: list[OffsetRange]
) -> None:
    made = make(small.settings, small.log, everything, "{}")
    (small.tables / shadows.name_of(made.id, "shadow.json")).unlink()  # it is written last
    assert shadows.unfinished(small.store) == {made.id}
    maintain(small.settings)
    assert shadows.unfinished(small.store) == set()
    assert not any(made.id in file for file in data_files(small))


def test_a_shadow_that_is_damaged_is_told_with_what_to_do(small: Home, everything: list[OffsetRange]) -> None:
    made = make(small.settings, small.log, everything, "{}")
    (small.tables / shadows.name_of(made.id, shadows.DIFFERENCES)).write_bytes(b"no parquet")
    with pytest.raises(TablesDamaged, match=f"otclog shadow drop {made.id}"):
        summary(small.store, made)
    (small.tables / shadows.name_of(made.id, "shadow.json")).write_bytes(b"{}")
    with pytest.raises(TablesDamaged, match=f"otclog shadow drop {made.id}"):
        shadows.all_of(small.store)
    with pytest.raises(TablesDamaged, match=f"otclog shadow drop {made.id}"):
        maintain(small.settings)
    drop(small.store, shadows.id_of(small.store, made.id[:20]))
    assert maintain(small.settings).shadows == 0


@pytest.mark.parametrize("left", [None, b"", b'{"dealers":'])
def test_a_shadow_without_the_copy_of_what_users_teach_is_told_with_what_to_do(
    small: Home, everything: list[OffsetRange], left: bytes | None
) -> None:
    made = make(small.settings, small.log, everything, "{}")
    file = small.tables / shadows.name_of(made.id, shadows.TAUGHT)
    file.unlink() if left is None else file.write_bytes(left)
    with pytest.raises(TablesDamaged, match=f"otclog shadow drop {made.id}"):
        execute(small.settings, small.log, made)


def test_a_shadow_says_when_it_was_made_and_of_what(small: Home, everything: list[OffsetRange]) -> None:
    made = make(small.settings, small.log, everything, '{"records": ["mails"]}')
    assert made.plan.selection == '{"records": ["mails"]}'
    assert made.plan.shadow_of == latest(small.store).number
    assert datetime.now(UTC) - made.made_at < timedelta(minutes=5)
    assert made.base == latest(small.store)
