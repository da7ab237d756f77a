"""pipelines.jobs.staging"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pipelines.jobs.staging import staging_folder, sweep

HOLD = """
import sys
from pathlib import Path
from pipelines.jobs.staging import staging_folder
with staging_folder(Path(sys.argv[1]), "20261124T101112-0123abcd") as folder:
    (folder / "outcomes").mkdir()
    (folder / "outcomes" / "part-0.parquet").write_text("parsed mail")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_for_its_owner_alone_and_goes_with_its_run(tmp_path: Path) -> None:
    with staging_folder(tmp_path, "run") as first, staging_folder(tmp_path, "run") as second:
        assert first != second
        assert {each.stat().st_mode & 0o777 for each in (first, second, first.parent)} == {0o700}
        (first / "outcomes").touch()
    assert list((tmp_path / "_staging").iterdir()) == []


def test_what_a_killed_driver_left_is_swept_and_what_a_living_one_holds_is_not(tmp_path: Path) -> None:
    with (
        staging_folder(tmp_path, "ours") as ours,
        subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as driver,
    ):
        assert driver.stdout is not None
        theirs = Path(driver.stdout.readline().strip())
        cut_off: list[str] = []
        sweep(tmp_path, cut_off.append)
        assert (theirs / "outcomes" / "part-0.parquet").exists()
        driver.kill()
        driver.wait()
        assert cut_off == []
        sweep(tmp_path, cut_off.append)
        assert cut_off == ["20261124T101112-0123abcd"]
        assert list((tmp_path / "_staging").iterdir()) == [ours]


def test_what_is_none_of_a_run_is_left_alone_or_goes_without_a_word(tmp_path: Path) -> None:
    cut_off: list[str] = []
    sweep(tmp_path, cut_off.append)
    (tmp_path / "_staging" / ".DS_Store").touch()
    (tmp_path / "_staging" / "part").mkdir()
    sweep(tmp_path, cut_off.append)
    assert [each.name for each in (tmp_path / "_staging").iterdir()] == [".DS_Store"]
    assert cut_off == []


def test_what_a_run_has_written_is_discarded_before_its_folder_goes(tmp_path: Path) -> None:
    folder = tmp_path / "_staging" / "20261124T101112-0123abcd.x"
    sweep(tmp_path, lambda _: None)
    folder.mkdir()
    seen: list[bool] = []
    sweep(tmp_path, lambda _: seen.append(folder.exists()))
    assert seen == [True]
    assert not folder.exists()


def test_before_the_first_run_there_is_nothing_to_sweep(tmp_path: Path) -> None:
    sweep(tmp_path, lambda _: None)
    assert list((tmp_path / "_staging").iterdir()) == []
