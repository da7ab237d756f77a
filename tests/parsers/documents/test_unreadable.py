from __future__ import annotations

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable


def test_the_error_has_its_code_beside_a_sentence_for_people() -> None:
    error = Unreadable(Code.IMAGE_ONLY, "3 pages, none with text")
    assert (error.code, str(error)) == (Code.IMAGE_ONLY, "3 pages, none with text")
