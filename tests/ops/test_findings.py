"""ops.findings"""

from __future__ import annotations

import errno
import shutil
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace

import pytest

import conf
from log import NotEnoughReplicas
from ops.doctor import examine
from ops.findings import FREE_BYTES, in_words, no_log_yet, room, there
from ops.status import status
from pipelines.tables.commits import create
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of
from pipelines.tables.versions import ADDED
from tests.pipelines.stores import HELD, publish_now


@pytest.mark.parametrize(("free", "state"), [(FREE_BYTES, "ok"), (FREE_BYTES - 1, "warn"), (31 << 20, "fail")])
def test_a_disk_is_short_before_it_has_no_room_for_one_append(
    settings: conf.Settings, monkeypatch: pytest.MonkeyPatch, free: int, state: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    assert room(settings.log.root, settings) == (state, free)


def test_a_folder_that_is_not_made_yet_will_be_on_the_disk_of_the_one_above(tmp_path: Path) -> None:
    assert there(tmp_path / "a" / "b") == tmp_path


def test_a_log_that_is_not_there_was_never_made_or_is_gone(settings: conf.Settings) -> None:
    assert no_log_yet(settings).state == "ok"
    settings.ingest.ledger.touch()
    assert no_log_yet(settings).state == "fail"


def test_what_is_told_needs_no_kind_and_anything_else_has_one() -> None:
    assert in_words(NotEnoughReplicas("one is away")) == "one is away"
    assert in_words(OSError(errno.ENOENT, "No such file or directory", "/a")) == "/a: No such file or directory"
    assert in_words(KeyError("epoch")) == "KeyError: 'epoch'"


def test_doctor_and_status_say_that_an_upgrade_of_the_tables_is_due_and_how(
    settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in TABLES.values():
        create(store_of(settings.tables), table, HELD)
    publish_now(store_of(settings.tables), "run", dict.fromkeys(TABLES, 0))

    def told() -> list[tuple[str, str]]:
        lines = [(line.state, line.detail) for line in status(settings) if line.what == "tables"]
        findings = takewhile(lambda each: each.check != "words", examine(settings))  # the sandbox is not asked
        return [*lines, *((each.state, each.detail) for each in findings if each.check == "tables")]

    assert [state for state, _ in told()] == ["ok", "ok"]
    monkeypatch.setitem(ADDED, "parts", [["file_name"]])
    assert [state for state, _ in told()] == ["fail", "fail"]
    assert all("parts (1 of 2); `otclog upgrade --execute` is due" in detail for _, detail in told())
