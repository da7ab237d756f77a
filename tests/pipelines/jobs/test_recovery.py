"""pipelines.jobs.recovery"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from parsers.parse import parse_mail
from pipelines.jobs.plan import in_writing
from pipelines.tables.publication import latest
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Stored
from tests.pipelines.jobs.small_runs import SmallRuns


class PowerCut(Exception):
    pass


def cut(*_: object, **__: object) -> None:
    raise PowerCut


@pytest.fixture
def runs(tmp_path: Path, mails: list[bytes]) -> SmallRuns:
    """Of which two are done."""
    runs = SmallRuns(Folder(tmp_path / "tables"), [parse_mail(mails[0])])
    runs.run()
    runs.run()
    return runs


def test_a_run_does_not_look_up_what_is_published_anew_for_each_table(
    runs: SmallRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    own = Folder.list

    def noted(store: Folder, folder: str = "") -> Iterator[Stored]:
        looked.append(folder)
        return own(store, folder)

    monkeypatch.setattr(Folder, "list", noted)
    runs.run()
    assert 0 < looked.count("_published") < len(TABLES)


def test_a_run_that_was_cut_off_is_finished_though_a_publication_of_long_before_is_damaged(
    runs: SmallRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.publish", cut)
        with pytest.raises(PowerCut):
            runs.run()
    assert in_writing(runs.store)
    runs.store.put("_published/1.json", b"{")
    runs.run(at=3)
    assert latest(runs.store).number == 4, "the one that was cut off, and the next one"
