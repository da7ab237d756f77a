from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.documents.unreadable import DAMAGE, Unreadable


def test_the_error_has_its_code_beside_a_sentence_for_people() -> None:
    error = Unreadable(Code.IMAGE_ONLY, "3 pages, none with text")
    assert (error.code, str(error)) == (Code.IMAGE_ONLY, "3 pages, none with text")


@pytest.mark.parametrize("unpack", [zlib.decompress, lzma.decompress, bz2.decompress])
def test_damage_is_known_however_a_member_is_packed(unpack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(DAMAGE):
        unpack(b"no packed bytes")
