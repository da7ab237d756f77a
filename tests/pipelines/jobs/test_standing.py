"""pipelines.jobs.standing"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from log.journal import journal, move, undo_target
from log.rewind import to_earliest, to_latest, to_offset
from pipelines.jobs.committing import Summary
from pipelines.jobs.extract import extract
from pipelines.jobs.standing import ends, set_from_tables
from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow


def run(home: Home, max_mails: int = 1000) -> Summary | None:
    return extract(home.settings, home.log, home.group, home.topic, max_mails)


def test_behind_tables_put_back_from_a_backup_every_mail_is_read_that_they_lack(
    home: Home, extracted: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root, backup = home.tables, tmp_path / "backup"
    run(home, max_mails=7)
    shutil.copytree(root, backup)
    between = home.log.committed(home.group)
    run(home)
    shutil.rmtree(root)
    backup.rename(root)
    set_from_tables(home.log, home.store, home.group, home.topic)
    assert home.log.committed(home.group) == between
    assert f"group {home.group} is ahead of the tables" in caplog.text
    assert [entry.reason for entry in journal(home.log, home.group)] == ["ahead of the tables"]
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends


def test_without_any_tables_all_is_read_again_unless_somebody_moved_the_group(home: Home, extracted: Home) -> None:
    run(home)
    shutil.rmtree(home.tables)
    run(home)
    assert home.outcomes() == extracted.outcomes()
    shutil.rmtree(home.tables)
    for target in (to_earliest, to_latest):
        move(home.log, home.group, sorted(home.ends), target)
    assert run(home) is None
    assert home.log.committed(home.group) == home.ends


def test_a_move_that_moves_nothing_does_not_keep_the_group_from_filling_tables_that_were_lost(
    home: Home, extracted: Home
) -> None:
    run(home)
    move(home.log, home.group, sorted(home.ends), to_latest)
    shutil.rmtree(home.tables)
    run(home)
    assert home.outcomes() == extracted.outcomes()


def test_a_move_that_was_undone_does_not_keep_the_group_from_filling_tables_that_were_lost(
    home: Home, extracted: Home
) -> None:
    run(home)
    move(home.log, home.group, sorted(home.ends), to_earliest)
    entry, back = undo_target(home.log, home.group)
    move(home.log, home.group, sorted(home.ends), back, undoes=entry.generation)
    assert home.log.committed(home.group) == home.ends
    shutil.rmtree(home.tables)
    run(home)
    assert home.outcomes() == extracted.outcomes()


def test_a_move_back_keeps_no_mail_before_it_from_tables_that_were_lost_though_others_were_skipped_since(
    home: Home, extracted: Home
) -> None:
    for targets in ([to_offset(1)], [to_offset(1), to_latest]):
        run(home)
        for target in targets:
            move(home.log, home.group, sorted(home.ends), target)
        shutil.rmtree(home.tables)
        run(home)
        assert home.outcomes() == extracted.outcomes()


def test_the_runs_of_a_group_and_of_all_end_where_the_last_of_each_partition_does(home: Home) -> None:
    assert ends(home.store) == {}
    run(home, max_mails=7)
    read = home.log.committed(home.group)
    run(home, max_mails=1)
    assert ends(home.store, home.group) == home.log.committed(home.group) != read
    other = replace(home, group="another")
    run(other, max_mails=2)
    assert ends(home.store, "another") == {source: at for source, at in home.log.committed("another").items() if at}
    assert ends(home.store) == home.log.committed(home.group)
    assert ends(home.store, "nobody") == {}


def test_a_group_whose_rows_are_there_or_that_another_program_commits_stays(home: Home, extracted: Home) -> None:
    set_from_tables(extracted.log, extracted.store, extracted.group, extracted.topic)
    home.log.commit(home.group, home.ends, "another program's words")
    set_from_tables(home.log, home.store, home.group, home.topic)
    for each in (extracted, home):
        assert each.log.committed(each.group) == each.ends
        assert journal(each.log, each.group) == []
