"""A rename that goes over no other file, which Python's own cannot promise (renameat2 of Linux)."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache
from typing import Any

_NOREPLACE = 1
_UNKNOWN = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})  # the file system or the kernel has no such rename


def rename_new(folder: int, name: str, into: int, new: str) -> bool:
    """Whether such a rename is known here; if so, it is done. Raises FileExistsError, OSError."""
    renameat2 = _renameat2()
    if renameat2 is None:
        return False
    if renameat2(folder, os.fsencode(name), into, os.fsencode(new), _NOREPLACE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNKNOWN:
        return False
    raise OSError(code, os.strerror(code), name)


@cache
def _renameat2() -> Any | None:
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is not None:
        function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return function
