from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import parsers
from parsers.dealers import Dealers
from parsers.taught import Taught
from parsers.version import ENGINES, digest_of, parser_version, parsers_alone
from tests.test_architecture import imports_of

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "parsers"
READ_NOTHING = {"msgspec", "pyarrow", "pyseccomp", "rich", "typer", "conf", "parsers"}  # of mails
ASKED = (
    "from parsers.taught import Taught; from parsers.version import parser_version as it; print(it(Taught.load(None)))"
)


def asked(folder: Path) -> str:
    """The version that a process whose modules lie in `folder` says."""
    environment = {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1", "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def copied(to: Path) -> Path:
    """A checkout's packages that the parsers need, without what was compiled."""
    for name in ("parsers", "conf"):
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    return to


def test_it_is_the_label_a_digest_of_the_parsers_and_one_of_what_users_teach() -> None:
    one, other = Taught.load(None), Taught.of(Dealers.parse('["bank.example"]\nname = "Bank"'))
    assert re.fullmatch(rf"{re.escape(parsers.__version__)}\+[0-9a-f]{{12}}\.[0-9a-f]{{12}}", parser_version(one))
    assert parser_version(one).rpartition(".")[0] == parser_version(other).rpartition(".")[0] == parsers_alone()
    assert parser_version(one) != parser_version(other)


def test_it_is_the_same_in_another_folder_compiled_with_other_times_and_line_endings(tmp_path: Path) -> None:
    folder = copied(tmp_path / "elsewhere")
    for file in [*folder.rglob("*.py"), *folder.rglob("*.toml")]:
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        os.utime(file, (1, 1))
    assert asked(folder) == parser_version(Taught.load(None))
    assert list(folder.rglob("*.pyc"))
    assert asked(folder) == parser_version(Taught.load(None))


@pytest.mark.slow
def test_it_is_the_same_out_of_an_installed_wheel(tmp_path: Path) -> None:
    source = copied(tmp_path / "source")
    for name in ("log", "ingest", "pipelines", "ops"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "otclog.py", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", "--quiet"]
    done = subprocess.run([*pip, "--target", tmp_path / "site", source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "site" / "tests").exists()
    assert asked(tmp_path / "site") == parser_version(Taught.load(None))


def changed(room: Path) -> Iterator[str]:
    """What the first digest is after each change that may give other rows."""
    module, data = room / "quote.py", room / "values" / "times" / "zones.toml"
    for path in (module, data):
        path.write_bytes(path.read_bytes() + b"\n")
        yield digest_of(room, iter(["lxml 6"]))
    data.rename(data.with_name("zoned.toml"))
    yield digest_of(room, iter(["lxml 6"]))
    (room / "quotes" / "new.py").touch()
    yield digest_of(room, iter(["lxml 6"]))
    yield digest_of(room, iter(["lxml 7"]))


def test_code_data_and_the_versions_of_engines_change_the_first_digest(tmp_path: Path) -> None:
    room = copied(tmp_path) / "parsers"
    before = digest_of(room, iter(["lxml 6"]))
    assert len({before, *changed(room)}) == 6


def test_what_an_editor_leaves_beside_the_code_changes_nothing(tmp_path: Path) -> None:
    room = copied(tmp_path) / "parsers"
    before = digest_of(room, iter(()))
    for name in ("quote.py~", ".quote.py.swp", "#quote.py#", "quote.py.orig"):
        (room / name).write_text("x")
    (room / ".#quote.py").symlink_to("somebody@somewhere.1:2")
    assert digest_of(room, iter(())) == before


def test_all_that_stands_in_the_room_is_of_a_kind_that_counts() -> None:
    listed = subprocess.run(["git", "ls-files", "parsers"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {Path(name).suffix for name in listed.stdout.splitlines()} == {".py", ".toml"}


def test_every_library_that_the_parsers_import_is_an_engine_or_reads_nothing() -> None:
    names = {name.partition(".")[0] for path in ROOM.rglob("*.py") for name in imports_of(path)}
    others = names - set(sys.stdlib_module_names) - READ_NOTHING
    known = importlib.metadata.packages_distributions()
    assert {known[name][0] for name in others} == set(ENGINES)


def test_it_costs_once_and_little() -> None:
    parsers_alone.cache_clear()
    began = time.process_time()
    parsers_alone()
    assert time.process_time() - began < 0.5  # some hundredths of a second, and a start of an engine takes most of one
    taught = Taught.load(None)
    began = time.process_time()
    for _ in range(1000):
        parser_version(taught)
    assert time.process_time() - began < 0.1
