from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.member import Member


def test_a_member_has_its_bytes_or_says_why_not() -> None:
    assert Member("a.csv", b"x").content() == b"x"
    with pytest.raises(Unreadable, match="damaged"):
        Member("b.csv", b"", Unreadable(Code.CORRUPT_PART, "damaged")).content()
