"""The wall of system calls: a child that a document has taken over reaches no network and no process, changes no file.

The calls named here are refused by the kernel (EPERM) for as long as the process lives, by libseccomp through
pyseccomp; all others stand. A reader needs memory, threads, clocks, pipes that are open already, and reading files,
which late imports do: so files can be read.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator

_NETWORK = "socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg"
_PROGRAMS = (
    "execve execveat fork vfork ptrace process_vm_readv process_vm_writev kill tkill pidfd_open pidfd_send_signal "
    "pidfd_getfd rt_sigqueueinfo rt_tgsigqueueinfo setpriority ioprio_set sched_setaffinity sched_setattr "
    "sched_setparam sched_setscheduler migrate_pages move_pages"
)
_FILES = (
    "creat mkdir mkdirat mknod mknodat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
    "truncate ftruncate fallocate chmod fchmod fchmodat chown fchown fchownat lchown utime utimes utimensat futimesat "
    "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr flock mq_open mq_unlink "
    "shmget shmctl msgget msgctl semget semctl memfd_create"
)
_KERNEL = (
    "mount umount2 pivot_root chroot unshare setns bpf perf_event_open io_uring_setup userfaultfd keyctl add_key "
    "request_key open_by_handle_at name_to_handle_at init_module finit_module delete_module kexec_load personality "
    "acct swapon swapoff reboot sethostname setdomainname quotactl ioperm iopl syslog "
    "settimeofday clock_settime clock_adjtime adjtimex"
)
_YOUNG = {  # calls that an older libseccomp has no names for; their numbers are the same on every processor
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "process_mrelease": 448, "fchmodat2": 452,
    "setxattrat": 463, "removexattrat": 466, "open_tree_attr": 467, "file_setattr": 469,
}  # fmt: skip
_OWNERS_AND_LOCKS = (  # of a descriptor only to be read: who gets its signals (15: F_SETOWN_EX), locks others wait for
    fcntl.F_SETOWN, 15, fcntl.F_SETSIG, fcntl.F_SETLEASE, fcntl.F_SETLK, fcntl.F_SETLKW,
    fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW,
)  # fmt: skip
_UNKNOWN = "clone3 openat2"  # their flags lie in memory, where no filter looks: libc then takes the calls before them
_CLONE_THREAD = 0x10000
_INT = 0xFFFFFFFF  # the kernel looks at no more of an int, whatever stands above it in the register


class NoFilter(RuntimeError):
    """The kernel or libseccomp does not put the wall up."""


def filter_calls() -> None:
    """Put the wall up around this process and its threads, for good. Raises NoFilter."""
    try:
        import pyseccomp as seccomp

        wall = seccomp.SyscallFilter(seccomp.ALLOW)
        wall.set_attr(seccomp.Attr.CTL_TSYNC, 1)  # threads that an engine started already stand behind it, too
        rules = [
            (number, call, [seccomp.Arg(i, seccomp.MASKED_EQ, *test) for i, *test in at])
            for number, call, at in _refusals()
        ]
        rules += [(errno.EPERM, call, [seccomp.Arg(0, seccomp.NE, pid)]) for call, pid in _own_only()]
        for number, call, arguments in rules:
            try:
                wall.add_rule(seccomp.ERRNO(number), call, *arguments)
            except OSError as error:
                if error.errno != errno.EDOM:  # this processor has no such call
                    raise
        wall.load()
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise NoFilter(
            f"no filter of system calls: {type(error).__name__}: {error}; install Debian's libseccomp2, "
            'or do without this wall: [parsers] sandbox = "limits"'
        ) from error


def _own_only() -> Iterator[tuple[str, int]]:
    """Calls that abort and getrlimit are made of, and the first argument that means the process itself."""
    yield "tgkill", os.getpid()
    yield "prlimit64", 0


def _refusals() -> Iterator[tuple[int, str | int, list[tuple[int, int, int]]]]:
    """The error a call ends in, the call, and of which arguments: index, mask, and what stands behind the mask."""
    for name in f"{_NETWORK} {_PROGRAMS} {_FILES} {_KERNEL}".split():
        yield errno.EPERM, name, []
    for young in _YOUNG.values():
        yield errno.EPERM, young, []
    for command in _OWNERS_AND_LOCKS:
        yield errno.EPERM, "fcntl", [(1, _INT, command)]
    for name in _UNKNOWN.split():
        yield errno.ENOSYS, name, []
    yield errno.EPERM, "clone", [(0, _CLONE_THREAD, 0)]
    for name, flags in (("open", 1), ("openat", 2)):
        for mask, value in (
            (os.O_ACCMODE, os.O_WRONLY),
            (os.O_ACCMODE, os.O_RDWR),
            (os.O_CREAT, os.O_CREAT),
            (os.O_TRUNC, os.O_TRUNC),
        ):
            yield errno.EPERM, name, [(flags, mask, value)]
