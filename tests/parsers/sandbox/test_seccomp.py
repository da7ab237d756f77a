"""The filter of system calls, put up by real processes that then try what it refuses."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import parsers
from parsers.sandbox.seccomp import NoFilter, filter_calls

ROOT = Path(parsers.__file__).parents[1]


FILTERED = """
import os, socket, subprocess, sys, threading
from parsers.sandbox.seccomp import filter_calls
filter_calls()
"""


def run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    "deed",
    [
        "socket.socket()",
        "socket.socketpair()",
        "os.fork()",
        "subprocess.run(['/bin/true'])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv('/bin/true', ['true'])",
        "os.kill(os.getppid(), 0)",
        "open('new', 'w')",
        "open('there', 'a')",
        "open('there', 'r+')",
        "os.unlink('there')",
        "os.rename('there', 'gone')",
        "os.mkdir('new')",
        "os.symlink('there', 'new')",
        "os.truncate('there', 0)",
        "os.chmod('there', 0o777)",
        "os.memfd_create('x')",
    ],
)
def test_network_programs_processes_and_changes_of_files_are_refused(tmp_path: Path, deed: str) -> None:
    (tmp_path / "there").write_text("as it was")
    done = run(FILTERED + deed, tmp_path)
    assert "PermissionError" in done.stderr, done.stderr
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("there", "as it was")]


def test_threads_memory_pipes_and_reading_stay(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("read")
    program = """
    import decimal, zoneinfo
    done = []
    thread = threading.Thread(target=lambda: done.append(bytearray(1 << 20)))
    thread.start(); thread.join()
    into, out = os.pipe()
    os.write(out, open("there", "rb").read())
    print(os.read(into, 9), len(done[0]))
    """
    assert run(FILTERED + textwrap.dedent(program), tmp_path).stdout == "b'read' 1048576\n"


def test_threads_that_were_there_before_are_behind_it_too(tmp_path: Path) -> None:
    program = """
    import socket, threading
    from parsers.sandbox.seccomp import filter_calls
    up, said = threading.Event(), []
    def late():
        up.wait()
        try:
            socket.socket()
        except PermissionError:
            said.append("refused")
    thread = threading.Thread(target=late)
    thread.start()
    filter_calls()
    up.set()
    thread.join()
    print(said)
    """
    assert run(textwrap.dedent(program), tmp_path).stdout == "['refused']\n"


def test_without_libseccomp_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    with pytest.raises(NoFilter, match=r"install Debian's libseccomp2, or .* sandbox = \"limits\""):
        filter_calls()
