from __future__ import annotations

import ctypes

from parsers.documents.pdf.calls import INT, address_of, plain


def test_a_function_called_by_address_takes_numbers_as_they_are() -> None:
    library = ctypes.CDLL(None)
    assert plain(ctypes.cast(library.abs, ctypes.c_void_p), INT, INT)(-7) == 7


def test_nothing_has_the_address_0() -> None:
    number = ctypes.c_int(5)
    assert address_of(ctypes.pointer(number)) == ctypes.addressof(number)
    assert address_of(None) == 0
