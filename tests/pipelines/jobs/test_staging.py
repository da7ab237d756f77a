"""pipelines.jobs.staging"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pipelines.jobs.staging import staging_folder, sweep
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store

THEIRS = "20261124T101112-0123abcd"
HOLD = f"""
import sys
from pathlib import Path
from pipelines.jobs.staging import staging_folder
from pipelines.tables.store.folder import Folder
store = Folder(Path(sys.argv[1]))
with staging_folder(store, "{THEIRS}") as folder:
    store.put(f"{{folder}}/0/part-0.parquet", b"parsed mail")
    print(folder, flush=True)
    sys.stdin.read()
"""


def runs(store: Store) -> set[str]:
    return {each.name.split("/")[1] for each in store.list("_staging")}


def test_a_folder_goes_with_its_run(store: Store) -> None:
    with staging_folder(store, "run 1") as first, staging_folder(store, "run 2") as second:
        store.put(f"{first}/0/outcomes", b"parsed mail")
        assert first != second
        assert runs(store) == {"run 1", "run 2"}
    assert runs(store) == set()


def test_a_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    with staging_folder(Folder(tmp_path), "run") as folder:
        assert {each.stat().st_mode & 0o777 for each in (tmp_path / folder, (tmp_path / folder).parent)} == {0o700}
    assert list((tmp_path / "_staging").iterdir()) == []


def test_what_a_killed_driver_left_is_swept_and_what_a_living_one_holds_is_not(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    with (
        staging_folder(store, "ours"),
        subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as driver,
    ):
        assert driver.stdout is not None
        theirs = driver.stdout.readline().strip()
        cut_off: list[str] = []
        sweep(store, cut_off.append)
        assert store.get(f"{theirs}/0/part-0.parquet") == b"parsed mail"
        driver.kill()
        driver.wait()
        assert cut_off == []
        sweep(store, cut_off.append)
        assert cut_off == [THEIRS]
        assert runs(store) == {"ours"}


def test_what_a_run_has_written_is_discarded_before_its_folder_goes(store: Store) -> None:
    store.put(f"_staging/{THEIRS}/0/outcomes", b"parsed mail")
    store.put("_staging/of somebody else", b"")
    seen: list[tuple[str, set[str]]] = []
    sweep(store, lambda run_id: seen.append((run_id, runs(store))))
    assert [run_id for run_id, _ in seen] == [THEIRS]
    assert THEIRS in seen[0][1]
    assert runs(store) == {"of somebody else"}


def test_before_the_first_run_there_is_nothing_to_sweep(store: Store) -> None:
    sweep(store, lambda _: None)
    assert list(store.list()) == []
