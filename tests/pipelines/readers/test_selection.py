from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import Result

from pipelines.errors import BadSelection, NothingToRead
from pipelines.readers.selection import looked_up, named_ranges, one_of, present, require_kept
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.folder import Folder

if TYPE_CHECKING:
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
    with pytest.raises(NothingToRead, match="no topic"):
        named_ranges(home.log, ["absent"])


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
        (dealers, code): looked_up(Folder(root), {"stale": present(dealers, code=code)})
        for dealers in (None, file)
        for code in (False, True)
    }
    assert everything
    assert found == {(None, False): [], (None, True): [], (file, False): everything, (file, True): []}
    assert looked_up(Folder(root), {"stale": "0.8.0+000000000000."}) == everything


@pytest.mark.slow
def test_reparse_takes_the_word_code_behind_stale(extracted: Home, otclog: Callable[..., Result]) -> None:
    for words in (["--stale"], ["--stale", "code"], ["--stale", "--dealer", "Bank"]):
        result = otclog(extracted, "reparse", *words)
        assert (result.exit_code, "no record is chosen" in result.stderr) == (0, True), result.output
    assert otclog(extracted, "reparse", "--stale", "mails:0").exit_code == 2
