"""Hostile mails through the real sandbox, with less time and memory than a real one has, and a clock on the whole."""

from __future__ import annotations

import base64
import io
import resource
import time
import zipfile
from collections.abc import Callable, Iterator

import pytest

from parsers.codes import Code, MailState, PartState
from parsers.outcome import MailOutcome
from parsers.sandbox import Sandbox, SandboxOptions
from parsers.wire import from_wire, to_wire

DEADLINE_S = 20.0
RUN = b"From: desk@dealer.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxOptions(part_deadline_s=DEADLINE_S)) as one:
        yield one


@pytest.fixture
def parsed(sandbox: Sandbox) -> Callable[[bytes], MailOutcome]:
    """The outcome of a mail: it adds up, can be stored, took no longer than a part may, and left its parent as it was.

    The mail after it is read by the same sandbox.
    """

    def parse(raw: bytes) -> MailOutcome:
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        outcome = sandbox.parse(raw)
        assert time.monotonic() - began < 4 * DEADLINE_S
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024  # KiB
        assert len({part.part_path for part in outcome.parts}) == len(outcome.parts)
        assert all((part.code is None) == (part.state is not PartState.rejected) for part in outcome.parts)
        assert from_wire(to_wire(outcome)) == outcome
        assert sandbox.parse(RUN).state is MailState.parsed
        return outcome

    return parse


@pytest.fixture
def attached(parsed: Callable[[bytes], MailOutcome]) -> Callable[..., Code | None]:
    """The code of a file attached to a mail that also has a run in its body, which is read all the same."""

    def attach(data: bytes, name: str = "run.bin") -> Code | None:
        raw = (
            b"From: desk@dealer.example\nSubject: USD IG\nContent-Type: multipart/mixed; boundary=qq\n\n--qq\n\n"
            b"BACR 5.2 05/26 T+85/80 5x5\n--qq\nContent-Type: application/octet-stream\n"
            b'Content-Disposition: attachment; filename="'
            + name.encode()
            + b'"\nContent-Transfer-Encoding: base64\n\n'
            + base64.encodebytes(data)
            + b"\n--qq--\n"
        )
        parts = {part.part_path: part for part in parsed(raw).parts}
        assert parts["1"].quotes == 1
        return parts["2"].code

    return attach


@pytest.fixture
def zipped() -> Callable[..., bytes]:
    def pack(**members: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        return out.getvalue()

    return pack
