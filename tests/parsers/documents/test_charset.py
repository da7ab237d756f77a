from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.documents.charset import decode
from parsers.documents.unreadable import Unreadable


@pytest.mark.parametrize(
    ("data", "declared", "text"),
    [
        pytest.param("Gebühr".encode("utf-8-sig"), "cp1252", "Gebühr", id="a BOM beats what is declared"),
        pytest.param("98½".encode("utf-16"), None, "98½", id="UTF-16 by its BOM"),
        pytest.param("ISIN;Geld\r\n".encode("utf-16-le"), None, "ISIN;Geld\r\n", id="UTF-16 by its zeros"),
        pytest.param("ISIN;Geld\r\n".encode("utf-16-be"), "utf-8", "ISIN;Geld\r\n", id="zeros beat what is declared"),
        pytest.param("Fälligkeit".encode("cp1252"), None, "Fälligkeit", id="cp1252 where nothing is declared"),
        pytest.param("€ 98".encode("cp1252"), "iso-8859-1", "€ 98", id="iso-8859-1 is read as cp1252"),
        pytest.param("€ 98".encode("cp1252"), "us-ascii", "€ 98", id="us-ascii is read as cp1252"),
        pytest.param("Zoë".encode(), "no-such-charset", "Zoë", id="an unknown charset is no charset"),
        pytest.param("Zoë".encode(), "base64", "Zoë", id="a codec that is no charset"),
        pytest.param("ações".encode("iso-8859-15"), "utf-8", "ações", id="a declared charset that does not fit"),
        pytest.param(b"98\0.5", "utf-8", "98.5", id="NUL bytes are no text"),
    ],
)
def test_text_is_decoded_in_the_order_of_the_spec(data: bytes, declared: str | None, text: str) -> None:
    assert decode(data, declared) == text


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        ("98Â½/99Â¼", "98½/99¼"),
        ("102Â¼ â€“ 102Â¾", "102¼ – 102¾"),
        ("ZoÃ« Hallam", "Zoë Hallam"),
        ("à\u00a0«5 %»", "à\u00a0«5 %»"),
        ("„FÄ“", "„FÄ“"),
        ("Zürich – Genève", "Zürich – Genève"),
    ],
)
def test_mojibake_is_repaired_and_real_text_is_left_alone(seen: str, meant: str) -> None:
    assert decode(seen.encode()) == meant


def test_a_text_that_is_mostly_lost_is_undecodable() -> None:
    with pytest.raises(Unreadable) as refused:
        decode("98.5 �������".encode())
    assert refused.value.code is Code.CHARSET_UNDECODABLE
