from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import conf
from log import Record, TopicPartition, open_log
from parsers.sandbox import SandboxOptions
from pipelines.errors import BadSelection, NothingToRead
from pipelines.readers.selection import (
    Selection,
    chosen,
    kept,
    looked_up,
    named_ranges,
    one_of,
    present,
    require_kept,
)
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.folder import Folder
from tests.pipelines.conftest import Home


def test_what_is_reparsed_can_be_named_by_offsets_or_by_what_the_mails_are(extracted: Home) -> None:
    log, root = extracted.log, extracted.tables
    (source, end), *_ = extracted.ends.items()
    whole = OffsetRange("mails", source.partition, 0, end)
    assert named_ranges(log, [f"mails:{source.partition}"]) == [whole]
    assert named_ranges(log, [f"mails:{source.partition}:0-"]) == [whole]
    assert named_ranges(log, [f"mails:{source.partition}:0-1", f"mails:{source.partition}:1"]) == [
        OffsetRange("mails", source.partition, 0, 2)
    ]
    assert sum(map(len, named_ranges(log, ["mails"]))) == sum(extracted.ends.values())
    row = next(row for row in extracted.rows("mails") if row["sender"])
    chosen = looked_up(Folder(root), {"message_id": row["message_id"], "sender": row["sender"].upper(), "dealer": None})
    assert (row["log_partition"], row["log_offset"]) in {(each.partition, each.start) for each in chosen}
    locked = looked_up(Folder(root), {"code": "password_protected"})
    assert (
        sum(map(len, locked))
        == len([row for row in extracted.rows("rejects") if row["code"] == "PASSWORD_PROTECTED"])
        == 1
    )
    assert looked_up(Folder(root), {"sender": "nobody' OR 1=1 --"}) == []


def test_a_message_id_is_taken_with_its_angle_brackets_and_without(extracted: Home) -> None:
    root = extracted.tables
    known = next(row["message_id"] for row in extracted.rows("mails") if row["message_id"])
    bare = looked_up(Folder(root), {"message_id": known})
    assert bare
    assert looked_up(Folder(root), {"message_id": f"<{known}>"}) == bare


def test_mails_are_chosen_by_words_of_their_subject_and_by_their_days(extracted: Home) -> None:
    root, rows = extracted.tables, extracted.rows("mails")
    first, last = (end(row["received_day"] for row in rows) for end in (min, max))
    titled = [row for row in rows if "run" in (row["subject"] or "").lower()]
    assert 0 < len(titled) < len(rows)
    assert sum(map(len, looked_up(Folder(root), {"subject": "RUN"}))) == len(titled)
    assert looked_up(Folder(root), {"subject": "100%_"}) == []
    assert sum(map(len, looked_up(Folder(root), {"since_day": first, "until_day": last}))) == len(rows)
    assert looked_up(Folder(root), {"until_day": first - timedelta(days=1)}) == []
    assert looked_up(Folder(root), {"since_day": last + timedelta(days=1)}) == []


@pytest.mark.parametrize("name", ["", "mails:", "mails:x", "mails:0:5-x", "mails:0:7-3", "mails:0:1:2", "a b:0"])
def test_a_name_that_makes_no_sense_is_refused(home: Home, name: str) -> None:
    with pytest.raises(BadSelection):
        named_ranges(home.log, [name])


def test_records_the_log_does_not_have_are_refused_with_what_it_has(home: Home) -> None:
    (source, end), *_ = home.ends.items()
    with pytest.raises(NothingToRead, match=f"from 0 to {end}"):
        require_kept(home.log, [OffsetRange("mails", source.partition, 0, end + 1)])
    with pytest.raises(NothingToRead, match="no partition 99"):
        named_ranges(home.log, ["mails:99"])
    with pytest.raises(BadSelection, match="no topic, and no shadow, 'absent'"):
        named_ranges(home.log, ["absent"])
    for name in (f"mails:{source.partition}:{end}", f"mails:{source.partition}:0-{end + 1}"):
        with pytest.raises(BadSelection, match=f"{source} ends at {end}, no record is written from there on yet"):
            named_ranges(home.log, [name])


def test_a_value_of_a_closed_list_is_taken_in_any_case_and_others_are_refused() -> None:
    assert one_of("--code", "row_no_price", ["ROW_NO_PRICE", "ROW_WITHDRAWN"]) == "ROW_NO_PRICE"
    assert one_of("--code", None, ["ROW_NO_PRICE"]) is None
    with pytest.raises(BadSelection, match="--code row_nope: there is no such value; did you mean ROW_NO_PRICE"):
        one_of("--code", "row_nope", ["ROW_NO_PRICE", "ROW_WITHDRAWN"])
    with pytest.raises(BadSelection, match="it is one of ROW_NO_PRICE, ROW_WITHDRAWN"):
        one_of("--code", "zzz", ["ROW_WITHDRAWN", "ROW_NO_PRICE"])


@pytest.mark.slow
def test_mails_that_any_but_the_present_version_read_are_stale(extracted: Home, tmp_path: Path) -> None:
    root = extracted.tables
    everything = looked_up(Folder(root), {"since_day": date(2000, 1, 1)})
    file = tmp_path / "dealers.toml"
    file.write_text('["bank.example"]\nname = "Bank"\n', "utf-8")
    found = {
        (dealers, code): looked_up(Folder(root), {"stale": present(SandboxOptions(dealers=dealers), code=code)})
        for dealers in (None, file)
        for code in (False, True)
    }
    assert everything
    assert found == {(None, False): [], (None, True): [], (file, False): everything, (file, True): []}
    assert looked_up(Folder(root), {"stale": "0.8.0+000000000000."}) == everything


@pytest.mark.slow
def test_reparse_takes_the_word_code_behind_stale(extracted: Home, otclog: Callable[..., Result]) -> None:
    for words in (["--stale"], ["--stale", "code"], ["--stale", "--execute"]):
        result = otclog(extracted, "reparse", *words)
        assert (result.exit_code, "no mail is stale" in result.stderr) == (0, True), result.output
    assert otclog(extracted, "reparse", "--stale", "--dealer", "Bank").exit_code == 2
    assert otclog(extracted, "reparse", "--stale", "mails:0").exit_code == 2


def holds(row: dict[str, Any], rows: dict[str, list[dict[str, Any]]], filters: dict[str, Any]) -> bool:
    """What a selection means, said plainly, of one mail."""
    at = tuple(row[name] for name in ("topic", "log_partition", "log_offset"))
    own = {
        table: [
            each for each in rows[table] if tuple(each[name] for name in ("topic", "log_partition", "log_offset")) == at
        ]
        for table in ("quotes", "parts", "rejects")
    }

    def of_quote(quote: dict[str, Any]) -> bool:
        return (
            filters.get("asset_class") in {None, quote["asset_class"]}
            and filters.get("region") in {None, quote["region"]}
            and ("quoted_from" not in filters or quote["quote_ts"] >= filters["quoted_from"])
            and ("quoted_to" not in filters or quote["quote_ts"] < filters["quoted_to"])
        )

    of_mail: dict[str, Callable[[Any], bool]] = {
        "message_id": lambda value: row["message_id"] == value,
        "sha256": lambda value: row["message_key"] == value,
        "sender": lambda value: row["sender"] == value,
        "dealer": lambda value: row["dealer"] == value,
        "subject": lambda value: value.lower() in (row["subject"] or "").lower(),
        "state": lambda value: row["state"] == value,
        "parser_version": lambda value: row["parser_version"] == value,
        "received_from": lambda value: row["received_ts"] >= value,
        "received_to": lambda value: row["received_ts"] < value,
        "code": lambda value: any(each["code"] == value for each in own["rejects"]),
        "attachment_type": lambda value: any(each["content_type"] == value for each in own["parts"]),
    }
    asked_of_quotes = {"asset_class", "region", "quoted_from", "quoted_to"} & filters.keys()
    return all(of_mail[name](value) for name, value in filters.items() if name in of_mail) and (
        not asked_of_quotes or any(map(of_quote, own["quotes"]))
    )


@pytest.mark.slow
def test_any_combination_of_filters_chooses_what_a_plain_filter_over_all_mails_does(
    extracted: Home, record_property: Callable[[str, object], None]
) -> None:
    """200 of them, with values that the tables have, or as many more as it takes until 50 have chosen something."""
    chance = random.Random(seed := random.randrange(2**32))
    rows = extracted.outcomes()
    columns = {
        "message_id": ("mails", "message_id"),
        "sha256": ("mails", "message_key"),
        "sender": ("mails", "sender"),
        "dealer": ("mails", "dealer"),
        "subject": ("mails", "subject"),
        "state": ("mails", "state"),
        "parser_version": ("mails", "parser_version"),
        "received_from": ("mails", "received_ts"),
        "received_to": ("mails", "received_ts"),
        "code": ("rejects", "code"),
        "attachment_type": ("parts", "content_type"),
        "asset_class": ("quotes", "asset_class"),
        "region": ("quotes", "region"),
        "quoted_from": ("quotes", "quote_ts"),
        "quoted_to": ("quotes", "quote_ts"),
    }
    found = 0
    for tried in range(1000):
        if tried >= 200 and found > 50:
            break
        names = chance.sample(sorted(columns), chance.randint(1, 4))
        filters = {name: value for name in names if (value := chance.choice(rows[columns[name][0]])[columns[name][1]])}
        for low, high in (("received_from", "received_to"), ("quoted_from", "quoted_to")):
            if {low, high} <= filters.keys() and filters[low] >= filters[high]:
                del filters[high]  # together they are refused
        if not filters:
            continue
        partitions = chance.choice([(), ("mails:0",), ("mails:1", "mails:2:0-2")])
        by_name = {
            (each.partition, at)
            for each in (named_ranges(extracted.log, partitions) if partitions else [])
            for at in range(each.start, each.stop)
        }
        wanted = {
            place
            for row in rows["mails"]
            if holds(row, rows, filters)
            and ((place := (row["log_partition"], row["log_offset"])) in by_name or not partitions)
        }
        ranges = chosen(extracted.log, Folder(extracted.tables), Selection(partitions, None, filters))
        assert {(each.partition, at) for each in ranges for at in range(each.start, each.stop)} == wanted, (
            seed,
            filters,
        )
        found += bool(wanted)
    assert found > 50
    record_property("count", f"{tried} combinations of filters: {found} chose a mail")


def test_what_a_run_has_read_is_chosen_by_its_id(extracted: Home) -> None:
    run, *_ = extracted.rows("runs")
    store = Folder(extracted.tables)
    everything = chosen(extracted.log, store, Selection(run=run["run_id"]))
    assert sum(map(len, everything)) == run["records"]
    assert chosen(extracted.log, store, Selection(("mails:0",), run["run_id"])) == named_ranges(
        extracted.log, ["mails:0"]
    )
    with pytest.raises(BadSelection, match="no published run"):
        chosen(extracted.log, store, Selection(run="20261124T081500-0123abcd"))
    with pytest.raises(BadSelection, match="choose records"):
        chosen(extracted.log, store, Selection())


def test_what_remains_of_records_that_are_deleted_is_named_and_can_be_taken(own_log: Home) -> None:
    source = next(iter(own_log.ends))
    own_log.log.delete_records(source, 4)
    end = own_log.ends[source]
    ranges = [OffsetRange(*source, 2, 6)]
    with pytest.raises(
        NothingToRead, match=rf"from 4 to {end}.*Of the 4 records that are chosen 2 remain: --allow-gap"
    ):
        require_kept(own_log.log, ranges)
    assert kept(own_log.log, ranges) == [OffsetRange(*source, 4, 6)]
    with pytest.raises(NothingToRead, match="None of the records that are chosen remains"):
        require_kept(own_log.log, [OffsetRange(*source, 0, 2)])


def test_the_log_is_asked_once_a_partition_however_many_ranges_are_chosen(
    own_log: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[TopicPartition] = []
    kind = type(own_log.log)
    own = kind.span

    def span(log: Any, source: TopicPartition) -> range:
        asked.append(source)
        return own(log, source)

    monkeypatch.setattr(kind, "span", span)
    ranges = [OffsetRange(*source, at, at + 1) for source, end in own_log.ends.items() for at in range(end)]
    assert len(ranges) > len(own_log.ends)
    require_kept(own_log.log, ranges)
    assert sorted(asked) == sorted(own_log.ends)


@pytest.fixture
def own_log(settings: conf.Settings, mails: list[bytes]) -> Iterator[Home]:
    """A log of the test's own: some of its records will be deleted."""
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"k", mail) for mail in mails])
        yield Home(settings, log, "own", settings.log.root)
