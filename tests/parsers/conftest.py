"""What the tests of reading share: parts as the unpacker hands them on, and a reader for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.documents import kinds
from parsers.documents.budget import Budget
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.part import Envelope, Part
from parsers.reading import Reader
from parsers.taught import Taught

ENVELOPE = Envelope(
    fields=Fields((("from", "r@desk.example"),)), facts=Facts(sender="r@desk.example", subject="USD IG")
)


@pytest.fixture
def part() -> Callable[..., Part]:
    def make(path: str, text: str, content_type: str = kinds.TEXT, **facts: object) -> Part:
        given = {"envelope": ENVELOPE, "is_body": True} | facts
        return Part(path=path, content_type=content_type, data=text.encode(), size=len(text), **given)  # type: ignore[arg-type]  # of a test's own choosing

    return make


@pytest.fixture
def reader() -> Reader:
    return Reader("k" * 64, Taught.load(None), "0", "r@desk.example", Budget())
