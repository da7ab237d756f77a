from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest

from pipelines.errors import GroupBusy, TableBusy
from pipelines.tables.locks import hold_tables, lease, maintaining
from pipelines.tables.store.folder import Folder

HOLD = """
import sys
from pathlib import Path
from pipelines.tables.locks import lease, hold_tables
from pipelines.tables.store.folder import Folder
with lease(Folder(Path(sys.argv[1])), "g"):
    print("held", flush=True)
    sys.stdin.read()
"""

WRITE = HOLD.replace("with lease", "with hold_tables").replace(', "g"', "")


def test_a_second_process_is_refused_the_lease_and_told_who_has_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(GroupBusy, match=str(holder.pid)), lease(Folder(tmp_path), "g"):
            pass
        with lease(Folder(tmp_path), "other"):
            pass
        holder.kill()
        holder.wait()
        with lease(Folder(tmp_path), "g"):  # its holder died without a word
            pass


def test_the_longest_name_of_a_group_names_a_lease(tmp_path: Path) -> None:
    with lease(Folder(tmp_path), "g" * 249), pytest.raises(GroupBusy), lease(Folder(tmp_path), "g" * 249):
        pass


def test_tables_that_another_process_writes_are_busy_until_that_dies(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(TableBusy, match=f"being written by process {holder.pid}"):
            hold_tables(Folder(tmp_path), wait_s=0.2).__enter__()
        holder.kill()
        holder.wait()
        with hold_tables(Folder(tmp_path), wait_s=0.2):
            pass


def test_a_thread_that_waits_in_vain_takes_the_lock_from_nobody(tmp_path: Path) -> None:
    with hold_tables(Folder(tmp_path)), ThreadPoolExecutor(1) as pool:

        def wait() -> None:
            with hold_tables(Folder(tmp_path), wait_s=0.1):
                pass

        for _ in range(2):
            assert isinstance(pool.submit(wait).exception(), TableBusy)


def test_threads_of_one_driver_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []
    overlaps: list[int] = []

    def work() -> None:
        with hold_tables(Folder(tmp_path), wait_s=60):
            inside.append(os.getpid())
            overlaps.append(len(inside))
            inside.pop()

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlaps == [1, 1, 1, 1]


def test_one_process_maintains_at_a_time_and_keeps_no_other_from_writing(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    busy = pytest.raises(TableBusy, match=f"the tables are being maintained by process {os.getpid()}")
    with maintaining(store), hold_tables(store), lease(store, "maintain"), busy, maintaining(store):
        pass
