from __future__ import annotations

from pathlib import Path

import pytest
import typer

from log import LogUnusable, Record, TopicPartition
from log.command import opened_log, partitions_of, settings_and_log


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Settings beside which no log is yet."""
    file = tmp_path / "otclog.toml"
    file.write_text("[log]\n")
    return file


def test_a_log_is_made_only_by_who_makes_one(config: Path) -> None:
    for writes in (False, True):
        with pytest.raises(LogUnusable, match="no log is here yet"), settings_and_log(config, writes=writes):
            pass
    assert not (config.parent / "log").exists()
    with settings_and_log(config, writes=True, makes=True) as (settings, log):
        assert settings.log.root == config.parent / "log"
        log.create_topic("mails", 1)
    with settings_and_log(config) as (_, log):
        assert log.topics() == ["mails"]


def test_the_log_is_closed_afterwards(config: Path) -> None:
    with opened_log(config, writes=True, makes=True) as log:
        log.create_topic("mails", 1)
    with pytest.raises(LogUnusable):
        log.append("mails", [Record(None, b"mail")])


def test_an_error_of_the_log_is_an_exit_code_and_a_line(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as caught, opened_log(config):
        pass
    assert caught.value.exit_code != 0
    assert "no log is here yet" in capsys.readouterr().err


def test_partitions_are_all_or_those_named_and_one_that_there_is_not_is_refused(config: Path) -> None:
    with opened_log(config, writes=True, makes=True) as log:
        log.create_topic("mails", 3)
        assert partitions_of(log, "mails", None) == [TopicPartition("mails", number) for number in range(3)]
        assert partitions_of(log, "mails", [2, 0]) == [TopicPartition("mails", 2), TopicPartition("mails", 0)]
        with pytest.raises(typer.BadParameter, match="has partitions 0 to 2, not 3"):
            partitions_of(log, "mails", [3])
