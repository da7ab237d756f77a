"""ops.findings"""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

import conf
from log import NotEnoughReplicas
from ops.findings import FREE_BYTES, in_words, no_log_yet, room, there


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
