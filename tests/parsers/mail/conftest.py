"""What the tests of mails share: mails written by the standard library, and looking at their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from types import MappingProxyType

import pytest

from parsers.codes import Code
from parsers.mail.found import Unpacked
from parsers.mail.unpack import unpack

NONE: Mapping[str, Code] = MappingProxyType({})


@pytest.fixture
def mail() -> Callable[..., EmailMessage]:
    def write(text: str = "Please find attached.", subject: str = "HY run", **headers: str) -> EmailMessage:
        message = EmailMessage()
        message["From"] = "Remy Castellane <Remy@Desk.Example>"
        message["Subject"] = subject
        message["Date"] = "Wed, 18 Nov 2026 08:33:00 -0500"
        message["Message-ID"] = "<1@desk.example>"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message

    return write


@pytest.fixture
def unpacked() -> Callable[[bytes], Unpacked]:
    return lambda raw: unpack(raw, NONE, lambda _: None)


@pytest.fixture
def ends() -> Callable[[Unpacked], dict[str, str]]:
    """Path -> what the part is: its code, its state, or the type it will be read as."""
    return lambda found: {part.path: str(part.code or part.state or part.content_type) for part in found.parts}
