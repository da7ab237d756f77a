"""pipelines.jobs.recovery"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from structlog.contextvars import get_contextvars

from parsers.parse import parse_mail
from pipelines.jobs.plan import IntentFile, Plan, in_writing, new_run_id
from pipelines.jobs.recovery import discarded_when_it_fails
from pipelines.tables.publication import latest
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.folder import Folder
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
    own = Folder.names

    def noted(store: Folder, folder: str = "") -> Iterator[str]:
        looked.append(folder)
        return own(store, folder)

    monkeypatch.setattr(Folder, "names", noted)
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


def test_what_is_told_of_a_run_that_was_cut_off_carries_that_run_and_no_other(
    runs: SmallRuns, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.publish", cut)
        with pytest.raises(PowerCut):
            runs.run()
    left = in_writing(runs.store)
    assert left
    IntentFile(runs.store).start(replace(left, plan=replace(left.plan, parser_version="0.8.0+00000000.00000000")))
    told: dict[str, object] = {}

    def note(record: logging.LogRecord) -> bool:
        told[record.getMessage()] = get_contextvars().get("run")
        return True

    caplog.handler.addFilter(note)
    runs.run(at=3)
    assert [run for words, run in told.items() if "was cut off under the parsers" in words] == [left.plan.run_id]


def test_a_run_is_counted_as_published_by_who_finishes_it_and_one_that_fails_as_failed(
    runs: SmallRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted() -> list[float]:
        labels = [{"kind": "extract", "state": state} for state in ("published", "failed")]
        return [REGISTRY.get_sample_value("otclog_runs_total", each) or 0.0 for each in labels]

    published, failed = counted()
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.publish", cut)
        with pytest.raises(PowerCut):
            runs.run()
    assert counted()[0] == published
    runs.run()
    assert counted()[0] == published + 2
    plan = Plan(new_run_id(), "extract", "small", (), 0, "1")
    with pytest.raises(PowerCut), discarded_when_it_fails(runs.store, plan):
        raise PowerCut
    assert counted() == [published + 2, failed + 1]
