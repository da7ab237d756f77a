"""Functions of pdfium's called by address: pypdfium2's own wrap each argument, which takes as long as the answer."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

POINTER, INT = ctypes.c_void_p, ctypes.c_int


def plain(function: Any, result: type[Any], *arguments: type[Any]) -> Callable[..., Any]:
    """A function of pypdfium2's that takes addresses and numbers as they are."""
    return ctypes.CFUNCTYPE(result, *arguments)(address_of(function))


def address_of(pointer: Any) -> int:
    """Of what a pointer of pypdfium2's points at; 0 for nothing."""
    return int(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
