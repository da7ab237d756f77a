from __future__ import annotations

import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ops.status import status
from parsers.outcome import MailOutcome
from pipelines.errors import BadSelection, TableBusy, TablesDamaged
from pipelines.jobs import parse_step
from pipelines.jobs.reparsing import shadow as making
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.changes import differing, summary
from pipelines.jobs.reparsing.reparse import execute, reparse
from pipelines.jobs.reparsing.shadow import drop, drop_old, make
from pipelines.jobs.run import commit_made
from pipelines.jobs.upkeep.maintain import maintain, to_do
from pipelines.readers.show import run_line
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.jobs.reparsing.test_histories import PARSERS, Rows

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow

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


def test_how_long_a_shadow_waited_is_no_part_of_how_long_its_run_took(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    parser_that(without_asks)
    made = make(small.settings, small.log, everything, "{}")
    yesterday = made.made.started_ts - timedelta(days=1)
    waited = dataclasses.replace(made, made=dataclasses.replace(made.made, started_ts=yesterday))
    done = execute(small.settings, small.log, waited, "to see how long it took")
    assert done.row["ended_ts"] - done.row["started_ts"] > timedelta(days=1)
    assert 0 < run_line(done.row)["seconds"] < 3_600
    (line,) = (each for each in status(small.settings) if each.what == "run" and each.name == "reparse")
    assert 0 < line.values["took_s"] < 3_600


# What rows of a mail that belong together have in common, table by table.
KEYS = {"quotes": ("record_id",), "mails": (), "parts": ("part_path",), "rejects": ("part_path", "locator", "code")}
NOT_COMPARED = {"received_ts", "received_day", "parser_version"}


def exported_differences(before: Rows, after: Rows) -> Counter[tuple[Any, ...]]:
    """How many rows of which mail, quote and kind are others, by all rows of both sides."""
    found: Counter[tuple[Any, ...]] = Counter()
    for table, key in KEYS.items():
        one, other = defaultdict(Counter), defaultdict(Counter)  # type: ignore[var-annotated]
        for side, rows in ((one, before[table]), (other, after[table])):
            for row in rows:
                place = (row["log_partition"], row["log_offset"], *(row[name] for name in key))
                side[place][repr({name: value for name, value in row.items() if name not in NOT_COMPARED})] += 1
        for place in one.keys() | other.keys():
            gone, come = (one[place] - other[place]).total(), (other[place] - one[place]).total()
            named = (table, *place[:2], place[2] if table == "quotes" else None)
            found[*named, "changed"] += (changed := min(gone, come))
            found[*named, "lost"] += gone - changed
            found[*named, "added"] += come - changed
    return +found


def quote_of(row: dict[str, Any]) -> str | None:
    """Of a row of the differences."""
    found: str | None = row["record_id"] or row["record_id_after"]
    return found


def test_the_differences_are_those_of_exported_tables(
    small: Home, everything: list[OffsetRange], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the shadow is published, the rows that came, went and changed are those that it told."""
    kinds: set[tuple[str, str]] = set()
    own = parse_step._outcome
    for parser in (PARSERS[number] for number in (1, 0, 2, 1)):
        before = small.outcomes()
        monkeypatch.setattr(parse_step, "_outcome", lambda *arguments, parser=parser: parser(own(*arguments)))
        made = make(small.settings, small.log, everything, "{}")
        told = Counter(
            (*(row[name] for name in ("table", "log_partition", "log_offset")), quote_of(row), row["kind"])
            for row in differing(small.store, made)
        )
        execute(small.settings, small.log, made, "to see")
        assert told == exported_differences(before, small.outcomes())
        kinds |= {(table, kind) for table, *_, kind in told}
    assert kinds == {("quotes", "lost"), ("quotes", "added"), ("quotes", "changed"), ("mails", "changed")}


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


def test_maintain_spares_what_a_shadow_is_being_compared_with(
    small: Home, everything: list[OffsetRange], monkeypatch: pytest.MonkeyPatch, parser_that: ParserThat
) -> None:
    """Others publish meanwhile, and nothing is kept for its age."""
    tables = dataclasses.replace(small.settings.tables, keep_s=-60.0, keep_publications=1)
    at_once = dataclasses.replace(small.settings, tables=tables)
    own = making._write_differences
    parser_that(without_asks)

    def compared(*arguments: Any) -> Any:
        monkeypatch.setattr(making, "_write_differences", own)
        reparse(small.settings, small.log, everything, override="to see")
        maintain(at_once)
        return own(*arguments)

    monkeypatch.setattr(making, "_write_differences", compared)
    made = make(small.settings, small.log, everything, "{}")
    assert list(differing(small.store, made))


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


def test_a_shadow_that_is_finished_while_maintain_looks_stays(
    small: Home, everything: list[OffsetRange], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is listed without it; when its run is asked for, that has ended."""
    made = make(small.settings, small.log, everything, "{}")
    listings = [{made.id}, shadows.unfinished(small.store)]
    monkeypatch.setattr(shadows, "unfinished", lambda _: listings.pop(0) if listings else set())
    assert drop_old(small.store, datetime.now(UTC) - timedelta(days=7)) == []
    assert shadows.all_of(small.store) == [made]


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


def test_a_shadow_whose_differences_are_damaged_within_is_told_with_what_to_do(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    parser_that(without_first)
    made = make(small.settings, small.log, everything, "{}")
    file = small.tables / shadows.name_of(made.id, shadows.DIFFERENCES)
    whole = file.read_bytes()
    middle = len(whole) // 2  # what is behind it says where what lies: the file opens
    file.write_bytes(whole[:4] + bytes(each ^ 0xFF for each in whole[4:middle]) + whole[middle:])
    for look in (
        lambda: summary(small.store, made),
        lambda: list(differing(small.store, made)),
        lambda: execute(small.settings, small.log, made),
    ):
        with pytest.raises(TablesDamaged, match=rf"differences\.parquet.*otclog shadow drop {made.id}"):
            look()


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
