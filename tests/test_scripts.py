"""scripts/: setup says in one line what is missing; a second call does nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environ, cwd=ROOT)


def fake(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_an_old_java_is_refused_in_one_line_that_says_how_to_get_a_newer(tmp_path: Path) -> None:
    fake(tmp_path, "java", """echo 'openjdk version "11.0.2"' >&2""")
    done = run("scripts/setup", PATH=f"{tmp_path}:{os.environ['PATH']}", JAVA_HOME="")
    assert done.returncode == 1
    assert done.stderr == "otclog needs Java 17 or later (found: 11): apt-get install openjdk-17-jre-headless\n"


def test_a_missing_python_is_refused_in_one_line_that_says_how_to_get_it(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12"):
        fake(tmp_path, name, "exit 1")
    done = run("scripts/setup", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert done.stderr.startswith("otclog needs Python 3.11 or 3.12")
    assert done.stderr.count("\n") == 1


def test_a_second_setup_does_nothing() -> None:
    stamp = ROOT / ".venv" / "otclog.stamp"
    before = stamp.stat().st_mtime_ns
    done = run("scripts/setup")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stamp.stat().st_mtime_ns == before


def test_a_class_archive_that_could_not_be_made_is_tried_again_by_the_next_setup(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin"
    python.mkdir(parents=True)
    (tmp_path / ".jars").mkdir()
    (tmp_path / "lock").touch()
    setup = f'. "{ROOT}/scripts/lib/install.sh"; stale .jars/classes here lock && archive_classes; exit 0'

    def said() -> str:
        return subprocess.run(["sh", "-c", setup], cwd=tmp_path, capture_output=True, text=True, check=True).stderr

    fake(python, "python", "exit 1")
    assert "that failed" in said()
    fake(python, "python", 'touch "$3"')
    assert said().startswith("archiving")
    assert (tmp_path / ".jars" / "classes" / "session.jsa").exists()
    assert not said()


@pytest.mark.parametrize("script", sorted(path.name for path in (ROOT / "scripts").iterdir() if path.is_file()))
def test_a_script_is_one_verb_that_states_its_usage(script: str) -> None:
    text = (ROOT / "scripts" / script).read_text("utf-8")
    assert f"# usage: scripts/{script}" in text
    assert len(text.splitlines()) <= 20
    assert run("sh", "-n", f"scripts/{script}").returncode == 0
