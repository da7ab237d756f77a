"""The walls around a child, put up by the child itself before it sees a mail. Linux.

They hold back a reader that goes wrong. One that a document has taken over is held back by the filter of system calls
(seccomp.py); it can still read every file of its user, and send nothing anywhere but to its parent.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_MAX_FILES = 64
_CLONE_NEWNET, _CLONE_NEWIPC = 0x40000000, 0x08000000
_NAMESPACES = ("net", "ipc")


def die_with(parent: int) -> None:
    """Be killed when the thread that started us ends, however it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it ended before we asked


def stand_apart() -> None:
    """Go where there is no network and nobody's shared memory, if the kernel lets us: it lets root."""
    ctypes.CDLL(None).unshare(_CLONE_NEWNET | _CLONE_NEWIPC)


def standing(pid: int) -> list[str]:
    """The walls that the kernel says stand around a process of ours. Raises OSError when it has ended."""
    process = Path("/proc", str(pid))
    status = (process / "status").read_text("ascii", "replace")
    limits = (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)
    is_apart = all(
        (process / "ns" / name).stat().st_ino != Path("/proc/self/ns", name).stat().st_ino for name in _NAMESPACES
    )
    found = {
        "limits": all(resource.prlimit(pid, limit) == (0, 0) for limit in limits),
        "no new privileges": "\nNoNewPrivs:\t1\n" in status,
        "a filter of system calls": "\nSeccomp:\t2\n" in status,
        "a network of its own": is_apart,
    }
    return [wall for wall, stands in found.items() if stands]


def close_in(memory_bytes: int) -> None:
    """Limits of the kernel's, which hold until we end.

    No privileges gained by exec, no bytes written to files, few files open at once, no core dumps, no new processes
    unless we are root, and address space for what we have and `memory_bytes` more.
    """
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write to a file then fails, and kills nobody
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    limits = {
        resource.RLIMIT_AS: pages * resource.getpagesize() + memory_bytes,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: _MAX_FILES,
        resource.RLIMIT_NPROC: 0,  # without effect on root
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))


def allow_cpu(seconds: float) -> None:
    """Be killed (SIGXCPU) after so much more CPU time, even when nobody watches."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 2, hard))


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")
