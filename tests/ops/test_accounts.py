"""ops.accounts: what `otclog doctor --tables` asks, and pipelines.readers.conservation, which counts."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pytest

import conf
from log import Record, open_log
from log.claims import CLAIM_HEADER, Claim, announce, clean_claims, open_claims, settle
from log.journal import move
from log.rewind import to_offset
from log.types import Position, TopicPartition
from ops import accounts
from ops.findings import Finding
from pipelines.jobs.extract import extract
from pipelines.jobs.plan import new_run_id
from pipelines.jobs.reparsing.reparse import reparse
from pipelines.readers import conservation
from pipelines.tables.commits import Change, commit
from pipelines.tables.datafiles import write
from pipelines.tables.publication import latest, table_of
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import Chosen, candidates, survivors
from pipelines.tables.schemas import TABLES
from tests.pipelines.conftest import TOPIC, Home, mails
from tests.pipelines.stores import HELD, publish_now

pytestmark = pytest.mark.slow

__all__ = ["mails"]  # a fixture

Checked = Callable[[conf.Settings], Iterator[Finding]]


@pytest.fixture
def home(settings: conf.Settings, tmp_path: Path, mails: list[bytes]) -> Iterator[Home]:
    """A log of mails, which is extracted."""
    few = dataclasses.replace(settings, extract=dataclasses.replace(settings.extract, small_mails=1000))
    with closing(open_log(settings.log)) as log:
        log.create_topic(TOPIC, 2)
        log.append(TOPIC, [Record(b"%d" % number, mail) for number, mail in enumerate(mails)])
        found = Home(few, log, "live", tmp_path / "otclog.toml")
        extract(few, log, found.group, TOPIC, 5)
        extract(few, log, found.group, TOPIC, 1000)
        yield found


def told(settings: conf.Settings, check: Checked = accounts.rows) -> list[tuple[str, str]]:
    return [(each.state, each.detail.partition(": `otclog")[0]) for each in check(settings)]


def without(home: Home, name: str, gone: OffsetRange) -> None:
    """Publish a table that has lost the rows of these records."""
    store, chosen = home.store, Chosen([gone])
    found = [
        survivors(store, TABLES[name], each, chosen, new_run_id())
        for each in candidates(table_of(store, latest(store), name), chosen)
    ]
    change = Change(
        tuple(file for each in found for file in each.files), tuple(each.of for each in found if each.chosen)
    )
    version = commit(store, TABLES[name], change, {}, HELD)
    publish_now(store, new_run_id(), {**latest(store).versions, name: version})


def again(home: Home, name: str, row: int = 0) -> None:
    """Publish a table that has one row twice."""
    table = table_of(home.store, latest(home.store), name).to_pyarrow_table()
    rows = pa.Table.from_pylist(table.slice(row, 1).to_pylist(), TABLES[name].arrow_schema()).to_batches()
    version = commit(home.store, TABLES[name], Change(tuple(write(rows, home.store, TABLES[name], "x"))), {}, HELD)
    publish_now(home.store, new_run_id(), {**latest(home.store).versions, name: version})


@pytest.mark.parametrize("bucket", [1_000_000, 3])
def test_tables_of_extracts_and_reparses_add_up(home: Home, monkeypatch: pytest.MonkeyPatch, bucket: int) -> None:
    monkeypatch.setattr(conservation, "BUCKET", bucket)
    assert told(home.settings) == [
        ("ok", "12 mails of 2 partitions: one outcome each, in all tables; so do 2 runs say")
    ]
    reparse(home.settings, home.log, [OffsetRange(TOPIC, 0, 0, 2)])
    assert told(home.settings) == [
        ("ok", "12 mails of 2 partitions: one outcome each, in all tables; so do 3 runs say")
    ]


@pytest.mark.parametrize("bucket", [1_000_000, 1])
def test_an_offset_without_an_outcome_and_one_with_two_are_named(
    home: Home, monkeypatch: pytest.MonkeyPatch, bucket: int
) -> None:
    monkeypatch.setattr(conservation, "BUCKET", bucket)
    for name in ("mails", "parts", "quotes", "rejects"):
        without(home, name, OffsetRange(TOPIC, 1, 1, 2))
    assert told(home.settings) == [("fail", "mails-1: 1 offsets that were extracted have no outcome: 1")]
    again(home, "mails")
    assert any("1 offsets have more outcomes than one" in detail for _, detail in told(home.settings))


@pytest.mark.parametrize("name", ["parts", "quotes", "rejects"])
def test_a_table_that_lost_a_mail_s_rows_or_has_one_twice_is_named(home: Home, name: str) -> None:
    again(home, name)
    ((state, detail),) = told(home.settings)
    wrong = f"1 mails have other {name} than they say: "
    assert (state, wrong in detail) == ("fail", True)
    partition, offset = int(detail[6]), int(detail.rpartition(" ")[2])
    without(home, name, OffsetRange(TOPIC, partition, offset, offset + 1))
    assert told(home.settings) == [("fail", f"{TOPIC}-{partition}: {wrong}{offset}")]


def test_records_that_a_group_was_moved_over_are_told_and_are_no_fault(home: Home) -> None:
    source = TopicPartition(TOPIC, 0)
    end = home.log.span(source).stop
    home.log.append(TOPIC, [Record(b"k", b"mail %d" % number) for number in range(5)], 0)
    move(home.log, home.group, [source], to_offset(end + 3))
    extract(home.settings, home.log, home.group, TOPIC, 1000)
    ok, passed = told(home.settings)
    assert ok[0] == "ok"
    assert passed == ("warn", f"3 records of mails:0:{end}-{end + 3} were passed by")
    reparse(home.settings, home.log, [OffsetRange(TOPIC, 0, end, end + 3)])
    assert [state for state, _ in told(home.settings)] == ["ok"]


def test_a_run_whose_counts_do_not_add_up_is_named(home: Home) -> None:
    (row, *_) = home.rows("runs")
    wrong = pa.Table.from_pylist([row | {"run_id": "wrong", "mails_parsed": 99}], TABLES["runs"].arrow_schema())
    files = tuple(write(wrong.to_batches(), home.store, TABLES["runs"], "wrong"))
    version = commit(home.store, TABLES["runs"], Change(files), {}, HELD)
    publish_now(home.store, "wrong", {**latest(home.store).versions, "runs": version})
    assert told(home.settings) == [("fail", "1 runs say counts that do not add up: wrong")]


def test_a_group_ahead_of_the_tables_is_a_failure(home: Home) -> None:
    assert told(home.settings, accounts.groups) == [("ok", "none of 1 group is ahead of the tables")]
    lost = new_run_id()
    home.log.commit(home.group, home.ends, lost)
    found = told(home.settings, accounts.groups)
    assert [state for state, _ in found] == ["fail", "fail"]
    assert f"by run {lost}, which is not published" in found[0][1]


def test_claims_that_nobody_needs_and_records_without_theirs_are_told(home: Home) -> None:
    store, raws = open_claims(home.settings.log), (b"kept", b"an orphan", b"lost")
    kept, orphan, lost = (Claim(sha256(raw).hexdigest(), len(raw)) for raw in raws)
    assert told(home.settings, accounts.claims)[0][0] == "ok"
    for number, claim in enumerate((kept, lost)):
        noted = announce(home.log, [(claim, TOPIC)])
        home.log.append(TOPIC, [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))], 0)
        settle(home.log, noted, {claim.sha256: Position(TOPIC, 0, 6 + number)})
    for claim, raw in zip((kept, orphan), raws, strict=False):
        store.put(claim, partial(list, [raw]))
    clean_claims(home.log, store, home.settings.log.claim_grace_s)
    for folder in home.settings.log.replicas:
        for file in (folder / "claims").rglob(orphan.sha256):
            long_ago = time.time() - 3 * home.settings.log.claim_grace_s
            os.utime(file, (long_ago, long_ago))
    found = told(home.settings, accounts.claims)
    assert ("warn", "no record needs 3 files of 0 MiB") in found
    assert any(state == "fail" and detail.startswith("no place has 1 claim") for state, detail in found)


def test_nothing_that_is_published_is_nothing_wrong(settings: conf.Settings) -> None:
    assert [
        state for check in (accounts.rows, accounts.groups, accounts.claims) for state, _ in told(settings, check)
    ] == ["ok"]
