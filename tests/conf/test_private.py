"""conf.private"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import conf
from conf.private import check_private


def ours(settings: conf.Settings, claims: Path) -> list[Path]:
    assert settings.tables.folder
    return [settings.log.root, *settings.log.replicas, settings.tables.folder, claims]


def test_what_is_not_there_yet_and_what_is_private_passes(settings: conf.Settings, tmp_path: Path) -> None:
    check_private(settings)
    for folder in ours(settings, tmp_path / "claims"):
        folder.mkdir(mode=0o700)
    settings.ingest.ledger.touch(0o600)
    check_private(replace(settings, log=replace(settings.log, claims=(tmp_path / "claims", "s3://elsewhere"))))


@pytest.mark.parametrize("mode", [0o750, 0o701, 0o770, 0o755])
@pytest.mark.parametrize("which", range(6))
def test_a_folder_that_others_can_reach_is_refused_with_what_to_do(
    settings: conf.Settings, tmp_path: Path, which: int, mode: int
) -> None:
    used = replace(settings, log=replace(settings.log, claims=(tmp_path / "claims",)))
    folder = ours(used, tmp_path / "claims")[which]
    settings.log.root.mkdir(mode=0o700)
    folder.mkdir(exist_ok=True)
    folder.chmod(mode)
    with pytest.raises(conf.ConfigError, match=f"is open to others .mode {mode:o}.: chmod 700 {folder}"):
        check_private(used)


@pytest.mark.parametrize(
    "file", [lambda settings: settings.ingest.ledger, lambda settings: settings.ingest.import_progress]
)
def test_so_is_a_file(settings: conf.Settings, file: Callable[[conf.Settings], Path]) -> None:
    file(settings).touch()
    file(settings).chmod(0o640)
    with pytest.raises(conf.ConfigError, match="chmod 600"):
        check_private(settings)


def test_so_is_the_file_of_messages_and_a_terminal_is_not(settings: conf.Settings, tmp_path: Path) -> None:
    file = tmp_path / "messages.log"
    used = replace(settings, logging=replace(settings.logging, file=file))
    check_private(used)
    file.touch(0o644)
    file.chmod(0o644)
    with pytest.raises(conf.ConfigError, match=f"open to others .mode 644.: chmod 600 {file}"):
        check_private(used)
    check_private(replace(settings, logging=replace(settings.logging, file=Path("/dev/null"))))


def test_mail_folders_are_others_business(settings: conf.Settings) -> None:
    settings.ingest.sources[0].path.mkdir()
    settings.ingest.sources[0].path.chmod(0o777)
    check_private(settings)
