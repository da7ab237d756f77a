"""Two drivers of one set of tables in a bucket, one of which stands still for longer than its lease."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from pipelines.jobs.plan import in_writing
from pipelines.tables.publication import latest, table_of
from pipelines.tables.store.store import open_store
from tests.pipelines.faults.driver import MAILS, STEPS
from tests.pipelines.stores import ROOT, Server

LEASE_S = 1.0
FIRST = "before it is written down"  # nothing was before


@contextmanager
def driving(root: str, credentials: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.pipelines.faults.driver", root, str(credentials), str(LEASE_S)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as driver:
        try:
            yield driver
        finally:
            driver.kill()


def tell(driver: subprocess.Popen[str], *words: object) -> None:
    assert driver.stdin is not None
    driver.stdin.write("\t".join(map(str, words)) + "\n")
    driver.stdin.flush()


def answer(driver: subprocess.Popen[str]) -> str:
    assert driver.stdout is not None
    return str(json.loads(driver.stdout.readline()))


@pytest.mark.parametrize(
    "rounds",
    [
        pytest.param(12, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
        pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(3000)]),
    ],
)
def test_of_two_drivers_one_of_which_stands_still_no_row_is_twice_and_none_is_lost(
    s3: Server, url: str, rounds: int, record_property: Callable[[str, object], None]
) -> None:
    """In half of the rounds the first stops itself at one of its steps until the other has done the same records."""
    store, befell = open_store(url, s3.credentials), Counter[str]()
    steps = [step for step in STEPS if step != FIRST]
    with ExitStack() as processes:
        drivers = [processes.enter_context(driving(url, s3.credentials)) for _ in range(2)]
        for number in range(rounds):
            first, second = drivers if number % 4 < 2 else drivers[::-1]
            step = "never" if number % 2 else steps[number // 2 % len(steps)] if number else FIRST
            tell(first, number, step, "today's" if number // 10 % 2 else "others'")
            if step != "never":
                assert os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1])
            tell(second, number, "never", "today's")
            if step != "never":
                assert answer(second) == "done"
                first.send_signal(signal.SIGCONT)
                befell[f"{step}: {answer(first)}"] += 1
            else:
                assert answer(first) == answer(second) == "done"
    assert in_writing(store) is None
    publication = latest(store)
    for name in ("mails", "parts", "rejects"):
        rows = table_of(store, publication, name).to_pyarrow_dataset().to_table(["log_offset"])["log_offset"]
        assert sorted(rows.to_pylist()) == list(range(rounds * MAILS)), name
    runs = table_of(store, publication, "runs").to_pyarrow_dataset().to_table(["run_id"])["run_id"].to_pylist()
    assert len(runs) == len(set(runs))
    told = (
        f"{rounds} rounds of two drivers, {rounds // 2} with one stopped, who then met {dict(sorted(befell.items()))}"
    )
    record_property("count", f"{told}; rows lost or twice 0")
