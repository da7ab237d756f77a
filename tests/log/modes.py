"""File modes that hold for root, too."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterator

_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2  # capabilities(7)
_HEADER = struct.pack("=Ii", 0x20080522, 0)  # version 3, of this thread
_SETS = struct.Struct("=6I")  # effective, permitted, inheritable; then the same of the higher capabilities


@contextlib.contextmanager
def modes_hold() -> Iterator[None]:
    """Within it this thread, and those that it starts, may do with files what their modes let their owner do.

    Raises OSError.
    """
    had = ctypes.create_string_buffer(_SETS.size)
    _call("capget", had)
    effective, *others = _SETS.unpack(had.raw)
    effective &= ~(1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH)
    _call("capset", ctypes.create_string_buffer(_SETS.pack(effective, *others), _SETS.size))
    try:
        yield
    finally:
        _call("capset", had)


def _call(name: str, sets: ctypes.Array[ctypes.c_char]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(ctypes.create_string_buffer(_HEADER), sets):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
