from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import conf
from conf.home import make_home
from log import Record, open_log
from pipelines.demo import OTCLOG, SAMPLES
from pipelines.errors import SparkUnusable
from pipelines.jobs.spark.java import OLDEST, check_java

pytestmark = pytest.mark.slow

Change = dict[str, str | None]
MISSING = [
    pytest.param({"PATH": "{bin}", "JAVA_HOME": None}, "java: not found; apt-get install", id="none on the PATH"),
    pytest.param({"JAVA_HOME": "/nonexistent"}, "/nonexistent/bin/java: not found", id="a JAVA_HOME without one"),
]
OLD = pytest.param({"JAVA_HOME": "{bin}/11"}, "version 11, and 17 or later is needed", id="an old one")
REPARSE = ["reparse", "mails:0", "--execute"]
OTHERS = [["extract", "--every", "1s"], REPARSE]


def fake_java(home: Path, script: str) -> None:
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)


@pytest.fixture
def environment(tmp_path: Path) -> Callable[[Change], dict[str, str]]:
    """The process's, changed; `{bin}` is a folder without a java of its own, `{bin}/11` a home of an old one."""
    folder = tmp_path / "bin"
    fake_java(folder / "11", """echo 'openjdk version "11.0.2" 2019-01-15' >&2""")

    def changed(change: Change) -> dict[str, str]:
        given = {name: value.format(bin=folder) for name, value in change.items() if value is not None}
        given["OTCLOG_EXTRACT_SMALL_MAILS"] = "0"  # one mail wants no Java otherwise
        return {name: value for name, value in os.environ.items() if name not in change} | given

    return changed


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The settings of a home whose log has one mail that nobody has extracted."""
    file = make_home(tmp_path / "home")
    with closing(open_log(conf.load(file, {}).log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(key=b"", value=next(SAMPLES.glob("*.eml")).read_bytes())])
    return file


def ended(words: list[str], environment: dict[str, str], folder: Path) -> tuple[int, list[str], str]:
    """The exit code of a command, its lines on stderr but for those that say that it works, and its stdout."""
    done = subprocess.run([OTCLOG, *words], env=environment, cwd=folder, text=True, capture_output=True, check=False)
    said = [line for line in done.stderr.splitlines() if line.startswith("otclog:") or "extracting" not in line]
    return done.returncode, [line for line in said if "…" not in line], done.stdout


@pytest.mark.parametrize(
    ("command", "change", "says"),
    [pytest.param(["extract"], *each.values, id=f"extract, {each.id}") for each in (*MISSING, OLD)]
    + [pytest.param(words, *OLD.values, id=f"{words[0]} {words[-1]}, {OLD.id}") for words in OTHERS],
)
def test_without_a_java_that_spark_runs_on_a_run_is_refused_in_one_line(
    environment: Callable[[Change], dict[str, str]], home: Path, command: list[str], change: Change, says: str
) -> None:
    if command == REPARSE:  # what nobody has extracted is refused sooner
        assert ended(["extract"], {**os.environ}, home.parent)[0] == 0
    code, (line,), _ = ended(command, environment(change), home.parent)
    assert code == 1
    assert line.startswith("otclog: ")
    assert says in line


@pytest.mark.parametrize(("change", "says"), [OLD])
def test_the_demo_asks_for_java_before_it_makes_anything(
    environment: Callable[[Change], dict[str, str]], tmp_path: Path, change: Change, says: str
) -> None:
    code, (line,), shown = ended(["demo", str(tmp_path / "demo")], environment(change), tmp_path)
    assert (code, shown) == (1, "")
    assert says in line
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("exit 1", "does not run"),
        ("echo no version at all >&2", "version 0"),
        ("""echo 'java version "1.8.0_292"' >&2""", "version 1,"),
    ],
)
def test_what_is_no_java_of_today_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, says: str
) -> None:
    fake_java(tmp_path, script)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkUnusable, match=f"{tmp_path}/bin/java.* {says}.*; apt-get install .*JAVA_HOME"):
        check_java()


def test_options_for_the_jvm_that_does_the_work_are_kept_from_the_one_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "classes.jsa"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"-XX:ArchiveClassesAtExit={archive}")
    assert check_java() >= OLDEST
    assert not archive.exists()
