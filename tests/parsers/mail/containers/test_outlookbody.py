from __future__ import annotations

import pytest

from parsers.documents import kinds
from parsers.mail.containers.outlookbody import Body, best_body


@pytest.mark.parametrize(
    ("html", "rtf", "text", "kind"),
    [
        (b"<p>x", b"{\\rtf1 x}", "x", kinds.HTML),
        (None, b"{\\rtf1 x}", "x", kinds.RTF),
        (b"", b"", "x", kinds.TEXT),
    ],
)
def test_the_richest_body_is_taken(html: object, rtf: object, text: object, kind: str) -> None:
    body = best_body(html, rtf, text)
    assert body is not None
    assert body.kind == kind


def test_no_body_is_none() -> None:
    assert best_body(None, b"", "") is None


def test_bytes_stay_as_they_are_but_for_the_final_zeros_and_their_charset_is_open() -> None:
    assert best_body(b"<p>caf\xe9\0\0", None, None) == Body(kinds.HTML, b"<p>caf\xe9", None)


def test_text_becomes_utf_8_and_says_so() -> None:
    assert best_body(None, None, "caf\u00e9\0") == Body(kinds.TEXT, "caf\u00e9".encode(), "utf-8")
    assert best_body(None, None, "\ud800") == Body(kinds.TEXT, b"?", "utf-8")


@pytest.mark.parametrize(
    ("kind", "name"), [(kinds.HTML, "body.html"), (kinds.RTF, "body.rtf"), (kinds.TEXT, "body.txt")]
)
def test_a_body_has_a_name_for_its_path(kind: str, name: str) -> None:
    assert Body(kind, b"").name == name
