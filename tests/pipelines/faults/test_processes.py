"""A process of an extract is killed from outside: its JVM, or those that parse."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.jobs.extract import extract
from tests.pipelines.conftest import Home
from tests.processes import below

EXTRACT = "import sys; from otclog import main; sys.argv[0] = 'otclog'; main()"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("killed", "amid", "said"),
    [
        ("bin/java", "parsers/sandbox", "Spark's process is gone"),
        ("\0-m\0", "parsers/sandbox", "Python worker|worker_daemon"),
        ("bin/java", "bin/java", "Spark's process ended as it began"),
    ],
    ids=["its JVM", "its workers", "its JVM as it begins"],
)
def test_an_extract_that_loses_a_process_says_so_and_the_next_one_does_it(  # noqa: PLR0917 -- fixtures
    home: Home, extracted: Home, tmp_path: Path, killed: str, amid: str, said: str
) -> None:
    environment = os.environ | {
        "OTCLOG_TABLES_ROOT": str(home.tables),
        "OTCLOG_EXTRACT_GROUP": home.group,
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-c", EXTRACT, "extract", "--config", str(home.file)]
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as driver:
        while not any(amid in its_command for _, its_command in below(driver.pid)):
            assert driver.poll() is None
            time.sleep(0.005)
        for process, its_command in list(below(driver.pid)):
            if killed in its_command:
                os.kill(process, signal.SIGKILL)
        told = driver.communicate(timeout=120)[1]
    assert driver.returncode == 75, told
    assert re.search(said, told.splitlines()[-1])
    assert home.log.committed(home.group) == home.starts
    extract(home.settings, home.log, home.group, home.topic, 1000)
    assert home.outcomes() == extracted.outcomes()
