from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from parsers.dealers import Dealers
from parsers.taught import Taught
from pipelines.errors import LeaseLost, TablesDamaged
from pipelines.jobs.plan import Intent, IntentFile, in_writing, is_run_id, maintain_plan, new_plan
from pipelines.tables.commits import Change
from pipelines.tables.datafiles import DataFile
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import StoredFile
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store

TAUGHT = Taught.load(None)


def test_a_plan_in_writing_is_read_back_as_it_was_until_it_is_done(tmp_path: Path) -> None:
    plan = new_plan("extract", "g", [OffsetRange("mails", 0, 0, 5), OffsetRange("mails", 3, 7, 8)], TAUGHT)
    change = Change((DataFile("a.parquet", 10, 2, "2026-11-24", "{}"),), (StoredFile("b.parquet", 5, None),))
    writing = Intent(plan, {"run_id": plan.run_id, "records": 6}, {"quotes": change, "mails": Change()})
    assert in_writing(Folder(tmp_path)) is None
    file = IntentFile(Folder(tmp_path))
    file.start(writing)
    assert in_writing(Folder(tmp_path)) == writing
    assert plan.records == 6
    file.end()
    assert in_writing(Folder(tmp_path)) is None


def test_who_stood_still_while_others_wrote_writes_down_nothing_any_more(store: Store) -> None:
    ours, theirs = (Intent(new_plan("extract", "g", [], TAUGHT), {}, {}) for _ in range(2))
    still, other = IntentFile(store), IntentFile(store)
    other.start(theirs)
    with pytest.raises(LeaseLost, match="while this one stood still"):
        still.start(ours)
    other.end()
    with pytest.raises(LeaseLost):
        still.start(ours)
    assert in_writing(store) is None
    still, other = IntentFile(store), IntentFile(store)
    still.start(ours)
    taken_over = IntentFile(store)
    assert taken_over.intent == ours
    taken_over.end()
    with pytest.raises(LeaseLost):
        still.end()


def test_every_plan_has_a_name_of_its_own() -> None:
    names = {new_plan("reparse", None, [], TAUGHT).run_id for _ in range(100)}
    assert len(names) == 100
    assert all(map(is_run_id, names))
    assert not any(map(is_run_id, ["", "run 7", next(iter(names))[:-1]]))


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"null", b'{"ranges": [1]}'])
def test_a_damaged_plan_is_named_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    IntentFile(Folder(tmp_path)).start(Intent(new_plan("extract", "g", [], TAUGHT), {}, {}))
    (tmp_path / "_plans" / "in_writing.json").write_bytes(content)
    with pytest.raises(TablesDamaged, match=r"_plans/in_writing\.json is not the plan .* move it away"):
        in_writing(Folder(tmp_path))


def test_a_plan_tells_whether_these_parsers_made_it_whatever_users_teach() -> None:
    plan = new_plan("extract", "g", [], TAUGHT)
    others = Taught.of(Dealers.parse('["bank.example"]\nname = "Bank"'))
    assert plan.is_of_these_parsers
    assert new_plan("extract", "g", [], others).is_of_these_parsers
    first, _, second = plan.parser_version.rpartition(".")
    assert not dataclasses.replace(plan, parser_version=f"{first}0.{second}").is_of_these_parsers


def test_a_plan_that_says_what_only_a_later_otclog_knows_is_not_done_in_part(tmp_path: Path) -> None:
    file = tmp_path / "_plans" / "in_writing.json"
    changes = {"quotes": Change((), (StoredFile("b.parquet", 5, None),))}
    IntentFile(Folder(tmp_path)).start(Intent(maintain_plan(), {}, changes))
    content = json.loads(file.read_text("utf-8"))
    further = content["changes"] | {"shadows": content["changes"]["quotes"]}
    inside = {"quotes": content["changes"]["quotes"] | {"moved": [1]}}
    for written in (content, content | {"shadow": 1}, content | {"changes": further}, content | {"changes": inside}):
        file.write_text(json.dumps(written), "utf-8")
        left = in_writing(Folder(tmp_path))
        assert left
        assert left.changes == (changes if written is content else {})


def test_a_plan_of_an_earlier_or_later_otclog_is_read_as_one_of_other_parsers(tmp_path: Path) -> None:
    plan = new_plan("extract", "g", [OffsetRange("mails", 0, 0, 5)], TAUGHT)
    IntentFile(Folder(tmp_path)).start(Intent(plan, {}, {"quotes": Change()}))
    file = tmp_path / "_plans" / "in_writing.json"
    content = json.loads(file.read_text("utf-8"))
    earlier = {
        name: value for name, value in content.items() if name not in {"parser_version", "taught", "row", "changes"}
    }
    for written in (earlier, content | {"parser_version": "9.9.9+0.0", "priority": 3}):
        file.write_text(json.dumps(written), "utf-8")
        left = in_writing(Folder(tmp_path))
        assert left is not None
        assert (left.plan.records, left.plan.is_of_these_parsers) == (5, False)
