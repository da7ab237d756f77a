"""ops.metrics.serving"""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import pytest

from conf.families import from_text
from ops.metrics.serving import served


def write(folder: Path, name: str, unit: str, value: int) -> None:
    help_and_type = "# HELP otclog_x_total Mails.\n# TYPE otclog_x_total counter\n"
    (folder / name).write_text(f'{help_and_type}otclog_x_total{{unit="{unit}"}} {value}\n')


def test_one_page_has_the_files_of_all_processes_as_they_are_when_it_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, "a.prom", "a", 1)
    write(tmp_path, "b.prom", "b", 2)
    (tmp_path / "c.prom").write_bytes(b"\xff{")
    (tmp_path / "a.tmp").write_text("otclog_x_total 5\n")
    with served(tmp_path, "127.0.0.1", 0) as url:
        write(tmp_path, "a.prom", "a", 7)
        with urlopen(url) as answer:
            (family,) = from_text(answer.read().decode())
    assert {sample.labels["unit"]: sample.value for sample in family.samples} == {"a": 7.0, "b": 2.0}


def test_an_address_that_is_taken_is_an_error_of_the_system(tmp_path: Path) -> None:
    with served(tmp_path, "127.0.0.1", 0) as url:
        port = int(url.rpartition(":")[2].partition("/")[0])
        with pytest.raises(OSError, match=f"in use: '127.0.0.1:{port}'"), served(tmp_path, "127.0.0.1", port):
            pass
