from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conf import Settings
from ingest.opening import refuse_a_second
from log import LogUnusable

StartWatcher = Callable[..., subprocess.Popen[str]]


@pytest.mark.slow
def test_a_log_that_was_there_is_not_made_anew(
    settings: Settings, folder: Path, a_mail: Callable[..., bytes], start_watcher: StartWatcher
) -> None:
    refuse_a_second(settings)
    (folder / "1").write_bytes(a_mail(1))
    assert start_watcher("--once").wait(60) == 0
    refuse_a_second(settings)
    for place in (settings.log.root, *settings.log.replicas):
        if place.exists():
            shutil.rmtree(place)
    (folder / "2").write_bytes(a_mail(2))
    assert start_watcher("--once").wait(60) == 1
    assert not settings.log.root.exists()
    assert (folder / "2").exists()
    with pytest.raises(LogUnusable, match=f"the log is gone, though {settings.ingest.ledger} knows its mails"):
        refuse_a_second(settings)
    settings.ingest.ledger.unlink()
    assert start_watcher("--once").wait(60) == 0


def test_what_a_replica_has_left_is_a_log(
    settings: Settings, folder: Path, a_mail: Callable[..., bytes], start_watcher: StartWatcher
) -> None:
    (folder / "1").write_bytes(a_mail(1))
    assert start_watcher("--once").wait(60) == 0
    for name in ("log.json", "state", "topics"):
        path = settings.log.root / name
        path.unlink() if path.is_file() else shutil.rmtree(path)
    refuse_a_second(settings)
