"""The wall of system calls: a child that a document has taken over reaches no network, program, process or file.

Calls are refused by the kernel (EPERM) for as long as the process lives, by libseccomp through pyseccomp. What a reader
needs stays: memory, threads, clocks, pipes that are open already, and reading files, which late imports do.
"""

from __future__ import annotations

import errno
import os

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

        refused = seccomp.ERRNO(errno.EPERM)
        wall = seccomp.SyscallFilter(seccomp.ALLOW)
        wall.set_attr(seccomp.Attr.CTL_TSYNC, 1)  # threads that an engine started already stand behind it, too
        for name in f"{_NETWORK} {_PROGRAMS} {_FILES} {_KERNEL}".split():
            wall.add_rule(refused, name)
        for name in _UNKNOWN.split():
            wall.add_rule(seccomp.ERRNO(errno.ENOSYS), name)
        wall.add_rule(refused, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, 0))
        for name, at in (("open", 1), ("openat", 2)):
            for mask, flag in (
                (os.O_ACCMODE, os.O_WRONLY),
                (os.O_ACCMODE, os.O_RDWR),
                (os.O_CREAT, os.O_CREAT),
                (os.O_TRUNC, os.O_TRUNC),
            ):
                wall.add_rule(refused, name, seccomp.Arg(at, seccomp.MASKED_EQ, mask, flag))
        wall.load()
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise NoFilter(
            f"no filter of system calls: {type(error).__name__}: {error}; install Debian's libseccomp2, "
            'or do without this wall: [parsers] sandbox = "limits"'
        ) from error
