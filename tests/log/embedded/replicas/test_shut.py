"""A replica's folder that may not be entered is a replica that is away: told, and the others serve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record
from log.embedded import EmbeddedLog
from tests.log.copies import check_copies_are_equal, isr, values
from tests.log.modes import modes_hold

OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


@pytest.fixture(autouse=True)
def _modes() -> Iterator[None]:
    with modes_hold():
        yield


@pytest.fixture
def shut(options: LogSettings) -> Iterator[Callable[[int], Path]]:
    """Shuts a replica's folder; open again after the test, or it could not be removed."""

    def folder_shut(number: int) -> Path:
        folder = options.replicas[number - 1]
        folder.chmod(0o000)
        return folder

    yield folder_shut
    for folder in options.replicas:
        folder.chmod(0o700)


@pytest.mark.parametrize("number", [1, 3], ids=["leader", "follower"])
def test_a_log_opens_and_serves_without_a_replica_that_may_not_be_entered_and_has_it_back_when_it_may(  # noqa: PLR0917 -- fixtures
    open_embedded: OpenLog,
    embedded: EmbeddedLog,
    options: LogSettings,
    numbered: Numbered,
    shut: Callable[[int], Path],
    number: int,
) -> None:
    embedded.append("mails", numbered(5))
    embedded.close()
    folder = shut(number)
    log = open_embedded()
    assert len(values(log)) == 5
    log.append("mails", numbered(5, 5))
    assert sorted(isr(log)) == sorted(each.name for each in options.replicas if each != folder)
    assert len(values(log)) == 10
    assert any(str(folder) in each.detail and "Permission denied" in each.detail for each in log.tend())
    log.create_topic("later", 1)
    log.append("later", numbered(1))
    log.close()
    folder.chmod(0o700)
    log = open_embedded()
    log.tend()
    assert len(isr(log)) == 3
    assert len(log.describe("later")[0].isr) == 3
    check_copies_are_equal(options)


def test_a_folder_that_is_shut_while_the_log_is_open_is_told_and_leaves_at_the_next_append(
    embedded: EmbeddedLog, numbered: Numbered, shut: Callable[[int], Path], caplog: pytest.LogCaptureFixture
) -> None:
    embedded.append("mails", numbered(5))
    folder = shut(1)
    embedded.append("mails", numbered(5, 5))
    assert f"{folder / 'mails-0'} left the in-sync replicas" in caplog.text
    assert sorted(isr(embedded)) == ["disk-2", "disk-3"]
    assert len(values(embedded)) == 10


def test_a_root_that_was_lost_is_made_anew_without_the_replica_that_may_not_be_entered(
    open_embedded: OpenLog, embedded: EmbeddedLog, options: LogSettings, numbered: Numbered, shut: Callable[[int], Path]
) -> None:
    embedded.append("mails", numbered(5))
    embedded.close()
    options.root.rename(options.root.with_name("gone"))
    shut(1)
    log = open_embedded()
    log.append("mails", numbered(5, 5))
    assert len(values(log)) == 10
