from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.readers import Hints, read_document
from parsers.documents.unreadable import Unreadable


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (kinds.ENCRYPTED_OFFICE, Code.PASSWORD_PROTECTED),
        (kinds.SEVEN_ZIP, Code.UNSUPPORTED_TYPE),
        ("application/made-up", Code.UNSUPPORTED_TYPE),
    ],
)
def test_what_has_no_reader_has_a_code(kind: str, code: Code) -> None:
    with pytest.raises(Unreadable) as refused:
        read_document(b"x", kind, Hints())
    assert refused.value.code is code


def test_the_charset_of_the_mail_reaches_the_reader() -> None:
    document = read_document("ações".encode("cp1252"), kinds.TEXT, Hints(charset="iso-8859-1"))
    assert [block.text for block in document.blocks] == ["ações"]  # type: ignore[union-attr]
