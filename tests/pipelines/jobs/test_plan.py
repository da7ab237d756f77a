from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import TablesDamaged
from pipelines.jobs.plan import end_writing, in_writing, is_run_id, new_plan, start_writing
from pipelines.tables.ranges import OffsetRange


def test_a_plan_in_writing_is_read_back_as_it_was_until_it_is_done(tmp_path: Path) -> None:
    plan = new_plan("extract", "g", [OffsetRange("mails", 0, 0, 5), OffsetRange("mails", 3, 7, 8)])
    assert in_writing(tmp_path) is None
    start_writing(tmp_path, plan)
    assert in_writing(tmp_path) == plan
    assert plan.records == 6
    end_writing(tmp_path)
    assert in_writing(tmp_path) is None


def test_every_plan_has_a_name_of_its_own() -> None:
    names = {new_plan("reparse", None, []).run_id for _ in range(100)}
    assert len(names) == 100
    assert all(map(is_run_id, names))
    assert not any(map(is_run_id, ["", "run 7", next(iter(names))[:-1]]))


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"null", b'{"ranges": [1]}'])
def test_a_damaged_plan_is_named_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    start_writing(tmp_path, new_plan("extract", "g", []))
    (tmp_path / "_plans" / "in_writing.json").write_bytes(content)
    with pytest.raises(TablesDamaged, match=r"_plans/in_writing\.json is not the plan .* move it away"):
        in_writing(tmp_path)
