from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from pipelines.jobs.extract import extract
from pipelines.readers.digest import digest
from pipelines.tables.schemas import MAILS, OUTCOMES, QUOTES
from tests.pipelines.conftest import Home


@pytest.mark.slow
def test_homes_with_the_same_rows_have_the_same_digests_and_others_have_not(
    extracted: Home, new_home: Callable[[], Home]
) -> None:
    whole, half = new_home(), new_home()
    extract(whole.settings, whole.log, whole.group, whole.topic, 1000)
    extract(half.settings, half.log, half.group, half.topic, 6)
    for table in OUTCOMES:
        assert digest(whole.store, table) == digest(extracted.store, table)
    assert digest(half.store, MAILS) != digest(extracted.store, MAILS)
    assert digest(extracted.store, MAILS)[1] == 12


def test_it_is_a_line_a_table(extracted: Home) -> None:
    environ = {"OTCLOG_TABLES_ROOT": str(extracted.tables)}
    command = [sys.executable, "-m", "pipelines.readers.digest", str(extracted.file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
    found, rows = digest(extracted.store, QUOTES)
    assert f"{found} {rows} quotes" in done.stdout.splitlines()
    assert len(done.stdout.splitlines()) == len(OUTCOMES)
