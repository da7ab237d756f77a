from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from pipelines.errors import SparkUnusable
from pipelines.jobs.spark import packing
from pipelines.jobs.spark.pack import pack_digest

ROOT = Path(__file__).resolve().parents[4]
PYTHON = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    file = tmp_path / "hello.whl"
    with zipfile.ZipFile(file, "w") as into:
        into.writestr("hello/__init__.py", "import sys\nprint('hello', sys.prefix)\n")
        into.writestr("hello/template.py", "{{ this is no module }}\n")
        into.writestr("hello/words.toml", "a = 1\n")
    return file


@pytest.fixture(autouse=True)
def few_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """One small package stands for all."""
    monkeypatch.setattr(packing, "packages", lambda _: ["asn1crypto"])


def packed(wheel: Path, out: Path, python: Path = PYTHON) -> Path:
    digest = packing.pack(wheel, ROOT / "requirements.lock", python, out)
    assert digest == pack_digest(out)
    return out


def unpacked(pack: Path, folder: Path) -> Path:
    with tarfile.open(pack) as archive:
        archive.extractall(folder, filter="fully_trusted")
    return folder


def test_the_same_packages_give_the_same_bytes_whenever_and_wherever(wheel: Path, tmp_path: Path) -> None:
    one = packed(wheel, tmp_path / "one.tar.gz")
    os.utime(wheel, (0, 0))
    assert one.read_bytes() == packed(wheel, tmp_path / "two.tar.gz").read_bytes()


def test_an_unpacked_pack_runs_from_wherever_it_lies_with_its_packages_alone(wheel: Path, tmp_path: Path) -> None:
    folder = unpacked(packed(wheel, tmp_path / "pack.tar.gz"), tmp_path / "here" / "otclog").rename(tmp_path / "there")
    code = "import hello, asn1crypto, sys; print(asn1crypto.__file__, sys.executable, *sys.path, sep='\\n')"
    done = subprocess.run([folder / "bin" / "python", "-c", code], capture_output=True, text=True, check=True, env={})
    said, where, executable, *path = done.stdout.splitlines()
    assert said == f"hello {folder}"
    assert Path(where).is_relative_to(folder)
    assert not any(Path(entry).is_relative_to(ROOT) for entry in path if entry)
    isolated = subprocess.run([executable, "-I", "-c", "import hello"], capture_output=True, check=True, env={})
    assert isolated.stdout.startswith(b"hello ")  # as the sandbox starts its children


def test_modules_are_compiled_and_what_is_none_is_kept_as_it_is(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(packed(wheel, tmp_path / "pack.tar.gz")) as archive:
        names = archive.getnames()
    assert sum("hello/__pycache__/__init__." in name for name in names) == 1
    assert not any("__pycache__/template" in name for name in names)
    assert any(name.endswith("hello/words.toml") for name in names)
    assert not any(name.startswith(("/", "..")) or "/../" in name for name in names)


@pytest.mark.parametrize("there", [False, True])
def test_a_machine_without_that_python_or_with_another_says_so(wheel: Path, tmp_path: Path, there: bool) -> None:
    python = tmp_path / "python3"
    if there:
        python.write_text("#!/bin/sh\nexit 1\n")  # as one of another version answers
        python.chmod(0o755)
    folder = unpacked(packed(wheel, tmp_path / "pack.tar.gz", python), tmp_path / "otclog")
    done = subprocess.run([folder / "bin" / "python", "-c", ""], capture_output=True, text=True, check=False)
    assert done.returncode == 127
    wanted = (
        f"has no Python {sys.version_info.major}.{sys.version_info.minor} at {python}, for which otclog was packed\n"
    )
    assert done.stderr.endswith(wanted)


def test_a_pack_that_is_cut_off_is_told(wheel: Path, tmp_path: Path) -> None:
    pack = packed(wheel, tmp_path / "pack.tar.gz")
    os.truncate(pack, pack.stat().st_size // 2)
    with pytest.raises(SparkUnusable, match=r"not what scripts/pack made \(cut off\?"):
        pack_digest(pack)


def test_an_environment_that_is_not_the_locked_one_is_not_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    lock = tmp_path / "requirements.lock"
    lock.write_text((ROOT / "requirements.lock").read_text().replace("\nlxml==", "\nlxml==0."))
    with pytest.raises(ValueError, match=r"lxml is .* here, and .* says 0\..*scripts/setup"):
        packing.packages(lock)
    names = packing.packages(ROOT / "requirements.lock")
    assert {"pyspark", "lxml", "confluent-kafka"} <= set(names)
    assert not {"pytest", "ruff", "otclog"} & set(names)


@pytest.mark.slow
def test_a_wheel_has_every_file_that_the_code_reads(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    rooms = ["conf", "ingest", "log", "ops", "parsers", "pipelines"]
    subprocess.run(
        ["cp", "-R", "pyproject.toml", "README.md", "LICENSE", "otclog.py", *rooms, source], cwd=ROOT, check=True
    )
    command = [
        str(ROOT / ".venv" / "bin" / "pip"),
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        source,
    ]
    subprocess.run(list(map(str, command)), check=True)
    (wheel,) = tmp_path.glob("otclog-*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    read = {".py", ".toml", ".xml", ".properties"}
    wanted = {
        path.relative_to(ROOT).as_posix()
        for room in rooms
        for path in (ROOT / room).rglob("*")
        if path.suffix in read and "__pycache__" not in path.parts
    }
    assert wanted - names == set()
