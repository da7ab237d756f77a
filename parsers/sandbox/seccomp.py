"""The wall of system calls: a child that a document has taken over reaches no network, program, process or file.

Calls are refused by the kernel (EPERM) for as long as the process lives, by libseccomp through pyseccomp. What a reader
needs stays: memory, threads, clocks, pipes that are open already, and reading files, which late imports do.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

_NETWORK = "socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg"
_PROGRAMS = (
    "execve execveat fork vfork ptrace process_vm_readv process_vm_writev kill tkill pidfd_open pidfd_send_signal"
)
_FILES = (
    "creat mkdir mkdirat mknod mknodat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
    "truncate ftruncate fallocate chmod fchmod fchmodat chown fchown fchownat lchown utime utimes utimensat futimesat "
    "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr mq_open shmget msgget semget memfd_create"
)
_KERNEL = (
    "mount umount2 pivot_root chroot unshare setns bpf perf_event_open io_uring_setup userfaultfd keyctl add_key "
    "request_key open_by_handle_at name_to_handle_at init_module finit_module delete_module kexec_load personality "
    "acct swapon swapoff reboot sethostname setdomainname quotactl ioperm iopl syslog"
)
_UNKNOWN = "clone3 openat2"  # their flags lie in memory, where no filter looks: libc then takes the calls before them
_CLONE_THREAD = 0x10000


class NoFilter(RuntimeError):
    """The kernel or libseccomp does not put the wall up."""


def filter_calls() -> None:
    """Put the wall up around this process and its threads, for good. Raises NoFilter."""
    try:
        import pyseccomp as seccomp

        wall = seccomp.SyscallFilter(seccomp.ALLOW)
        wall.set_attr(seccomp.Attr.CTL_TSYNC, 1)  # threads that an engine started already stand behind it, too
        for number, name, at in _refusals():
            arguments = [seccomp.Arg(index, seccomp.MASKED_EQ, mask, flags) for index, mask, flags in at]
            try:
                wall.add_rule(seccomp.ERRNO(number), name, *arguments)
            except OSError as error:
                if error.errno != errno.EDOM:  # this processor has no such call
                    raise
        wall.load()
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise NoFilter(
            f"no filter of system calls: {type(error).__name__}: {error}; install Debian's libseccomp2, "
            'or do without this wall: [parsers] sandbox = "limits"'
        ) from error


def _refusals() -> Iterator[tuple[int, str, list[tuple[int, int, int]]]]:
    """The error a call ends in, its name, and of which arguments: index, mask, and what stands behind the mask."""
    for name in f"{_NETWORK} {_PROGRAMS} {_FILES} {_KERNEL}".split():
        yield errno.EPERM, name, []
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
