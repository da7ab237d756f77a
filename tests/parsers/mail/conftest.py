"""What the tests of mails share: mails written by the standard library, and looking at their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from types import MappingProxyType

import pytest

from parsers.codes import Code
from parsers.mail.found import Unpacked
from parsers.mail.unpack import unpack
from tests.parsers import desk

NONE: Mapping[str, Code] = MappingProxyType({})


@pytest.fixture
def mail() -> Callable[..., EmailMessage]:
    def write(text: str = "Please find attached.", subject: str = "HY run", **headers: str) -> EmailMessage:
        return desk.mail(text, subject, **headers)

    return write


@pytest.fixture
def unpacked() -> Callable[[bytes], Unpacked]:
    return lambda raw: unpack(raw, NONE, lambda _: None)


@pytest.fixture
def ends() -> Callable[[Unpacked], dict[str, str]]:
    """Path -> what the part is: its code, its state, or the type it will be read as."""
    return lambda found: {part.path: str(part.code or part.state or part.content_type) for part in found.parts}
