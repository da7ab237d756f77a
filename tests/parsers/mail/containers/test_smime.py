from __future__ import annotations

import pytest
from asn1crypto import cms

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.smime import Encrypted, signed_content
from tests.parsers.mail.signing import signed

ENTITY = b"Content-Type: text/plain\r\n\r\nF 5y 182/188\r\n"


def test_what_was_signed_is_read() -> None:
    assert signed_content(signed(ENTITY)) == ENTITY


def test_what_is_enveloped_is_not() -> None:
    enveloped = cms.ContentInfo({"content_type": "enveloped_data"})
    with pytest.raises(Encrypted):
        signed_content(enveloped.dump())


@pytest.mark.parametrize("data", [b"", b"\x30", b"not DER at all", signed(ENTITY)[:40]])
def test_what_is_no_cms_is_corrupt(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        signed_content(data)
    assert refused.value.code is Code.CORRUPT_PART
