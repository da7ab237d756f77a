"""The filter of system calls, put up by real processes that then try what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import parsers
from parsers.sandbox.seccomp import NoFilter, filter_calls

ROOT = Path(parsers.__file__).parents[1]


FILTERED = """
import ctypes, fcntl, os, resource, signal, socket, subprocess, sys, threading
from parsers.sandbox.seccomp import filter_calls
def call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *[ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]) < 0:
        raise OSError(ctypes.get_errno(), "refused")
parent, into = os.getppid(), os.pipe()[0]
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


CHANGES = [
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
]
REACHES = [
    "signal.pidfd_send_signal(os.pidfd_open(parent), 0)",
    "call(234, parent, parent, 0)  # tgkill",
    "call(129, parent, 0, bytes(128))  # rt_sigqueueinfo",
    "call(297, parent, parent, 0, bytes(128))  # rt_tgsigqueueinfo",
    "resource.prlimit(parent, resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))",
    "os.setpriority(os.PRIO_PROCESS, parent, 0)",
    "os.sched_setaffinity(parent, os.sched_getaffinity(parent))",
    "os.sched_setscheduler(parent, os.SCHED_OTHER, os.sched_param(0))",
    "call(251, 1, parent, 3 << 13)  # ioprio_set",
    "fcntl.fcntl(into, fcntl.F_SETOWN, parent)",
    "fcntl.fcntl(into, fcntl.F_SETSIG, 9)",
    "fcntl.fcntl(into, 15, bytes(8))  # F_SETOWN_EX",
    "call(72, into, (1 << 32) + fcntl.F_SETOWN, parent)  # F_SETOWN under a high bit",
    "fcntl.flock(open('there'), fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "fcntl.lockf(open('there'), fcntl.LOCK_SH | fcntl.LOCK_NB)",
    "fcntl.fcntl(open('there'), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "call(452, -100, b'there', 0o777, 0)  # fchmodat2",
    "call(463, -100, b'there', 0, b'user.x', 0, 0)  # setxattrat",
    "call(430, b'tmpfs', 0)  # fsopen",
]


def check_refused(deeds: list[str], folder: Path) -> None:
    """Try each in turn, in one process, which goes on where it is refused; all else is how that process ended."""
    (folder / "there").write_text("as it was")
    trying = """
    for deed in deeds:
        try:
            exec(deed)
        except PermissionError:
            continue
        except BaseException as error:
            sys.exit(f"{deed}: {error!r}")
        sys.exit(f"{deed}: done")
    print("all refused")
    """
    done = run(f"{FILTERED}deeds = {deeds!r}\n{textwrap.dedent(trying)}", folder)
    assert (done.stdout, done.stderr, done.returncode) == ("all refused\n", "", 0)
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("there", "as it was")]


def test_network_programs_processes_and_changes_of_files_are_refused(tmp_path: Path) -> None:
    check_refused(CHANGES, tmp_path)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="some calls are given by their numbers here")
def test_no_signal_limit_rank_lock_or_attribute_reaches_the_parent_or_its_files(tmp_path: Path) -> None:
    check_refused(REACHES, tmp_path)


def test_it_can_still_abort_and_look_at_its_own_limits(tmp_path: Path) -> None:
    done = run(FILTERED + "print(resource.getrlimit(resource.RLIMIT_CORE), flush=True); os.abort()", tmp_path)
    assert (done.returncode, done.stdout[:1]) == (-signal.SIGABRT, "(")


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
