from __future__ import annotations

import dataclasses
import shutil

import pytest

from conf.settings import LogSettings
from log import LogUnusable
from log.embedded.home import find_home
from log.embedded.opening import open_home


def test_a_home_with_replicas_inside_can_be_moved(options: LogSettings) -> None:
    inside = dataclasses.replace(options, replicas=(options.root / "replica-1", options.root / "replica-2"))
    open_home(inside)
    moved = options.root.rename(options.root.parent / "moved")
    assert find_home(moved).replicas == {1: moved / "replica-1", 2: moved / "replica-2"}


def test_what_is_no_log_is_said(options: LogSettings) -> None:
    with pytest.raises(LogUnusable, match=r"no log\.json"):
        find_home(options.root)


def test_an_unmounted_replica_is_not_made_anew(options: LogSettings) -> None:
    home = open_home(options)
    shutil.rmtree(options.replicas[0])
    options.replicas[0].mkdir()
    assert open_home(options).log_id == home.log_id
    assert list(options.replicas[0].iterdir()) == []
    with pytest.raises(OSError, match="not mounted"):
        home.check_replica(1)
