from __future__ import annotations

import io
import mailbox
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.importing.mbox import LINE_BYTES, is_mbox, read_mbox
from ingest.incoming import Incoming

FROM = b"From desk@dealer.example Mon Nov  2 10:00:00 2026\n"
HEAD = b"From: a@b.example\nSubject: run\n\n"
LINES = [b"", b"text", b"From now on", b">From x", b">>From x", b"From a Mon Nov  2 10:00:00 2026", b"X: y", b"."]

Mails = Callable[..., list[bytes]]


def mails(raw: bytes, offset: int = 0, max_bytes: int = 10**9) -> list[bytes]:
    found = []
    for mail, _ in read_mbox(io.BytesIO(raw), offset, lambda: Incoming(max_bytes, Path())):
        with closing(mail):
            assert not mail.too_large
            found.append(b"".join(mail.mails(["x"], "n", 10**9)[0].chunks()))
    return found


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(FROM + HEAD + b"a\n\n" + FROM + HEAD + b"b\n\n", [HEAD + b"a\n", HEAD + b"b\n"], id="two"),
        pytest.param(FROM + HEAD + b"a\n", [HEAD + b"a\n"], id="no empty line at the end"),
        pytest.param(FROM + HEAD + b"a", [HEAD + b"a"], id="no line end at the end"),
        pytest.param(FROM + HEAD + b"a\n\n\n\n" + FROM + HEAD, [HEAD + b"a\n\n\n", HEAD[:-1]], id="empty lines"),
        pytest.param(FROM + HEAD + b"From now on bids\n", [HEAD + b"From now on bids\n"], id="a sentence"),
        pytest.param(FROM + HEAD + b"\nFrom here on\n", [HEAD + b"\nFrom here on\n"], id="after an empty line"),
        pytest.param(FROM + HEAD + b"a\n" + FROM + b"X: y\n", [HEAD + b"a\n" + FROM + b"X: y\n"], id="no empty line before"),
        pytest.param(FROM + HEAD + b"\n" + FROM + b"no header\n", [HEAD + b"\n" + FROM + b"no header\n"], id="no header after"),
        pytest.param(FROM + HEAD + b">From x\n>>From y\n> From z\n", [HEAD + b"From x\n>From y\n> From z\n"], id="quoted"),
        pytest.param(FROM + HEAD + b"x>From y\n", [HEAD + b"x>From y\n"], id="quoted within a line"),
        pytest.param(FROM + b"\n" + FROM + b"\n", [b"", b""], id="empty mails"),
        pytest.param(FROM, [b""], id="a last line alone"),
        pytest.param(
            (FROM + HEAD + b"a\n\n" + FROM + HEAD + b"b\n").replace(b"\n", b"\r\n"),
            [(HEAD + b"a\n").replace(b"\n", b"\r\n"), (HEAD + b"b\n").replace(b"\n", b"\r\n")],
            id="CR LF",
        ),
        pytest.param(
            FROM + HEAD + b"y" * 3 * LINE_BYTES + b"From " + b"z" * LINE_BYTES + b"\n",
            [HEAD + b"y" * 3 * LINE_BYTES + b"From " + b"z" * LINE_BYTES + b"\n"],
            id="a line in pieces",
        ),
    ],
)  # fmt: skip
def test_one_mail_stays_one_mail(raw: bytes, expected: list[bytes]) -> None:
    assert mails(raw) == expected


@pytest.mark.parametrize(
    "line",
    [
        b"From - Fri Nov 20 12:00:00 2026",
        b"From MAILER-DAEMON Fri Nov 20 12:00:00 2026",
        b"From desk at dealer.example Fri Nov 20 12:00 2026",
        b"From a@b  Sun Nov  1 09:05:00 EST 2026",
        b"From a@b Sun Nov  1 09:05:00 2026 +0100",
        b"From 1234@xxx Sun Nov 01 09:05:00 +0000 2026",
        b"From a@b Sun Nov  1 09:05:00 2026 \r",
    ],
)
def test_the_lines_that_programs_put_before_a_mail_are_known(line: bytes) -> None:
    assert is_mbox(line + b"\n" + HEAD)
    assert mails(line + b"\n" + HEAD + b"a\n\n" + line + b"\n" + HEAD + b"b\n") == [HEAD + b"a\n", HEAD + b"b\n"]


@pytest.mark.parametrize(
    "start", [b"", HEAD, b"From now on\n" + HEAD, FROM + b"no header", b"From: a Mon Nov  2 10:00:00 2026\n"]
)
def test_other_files_are_no_mbox(start: bytes) -> None:
    assert not is_mbox(start)


@given(st.lists(st.lists(st.sampled_from(LINES), max_size=6), min_size=1, max_size=4))
def test_what_a_writer_quotes_comes_out_as_it_was(bodies: list[list[bytes]]) -> None:
    raws = [HEAD + b"".join(line + b"\n" for line in body) for body in bodies]
    quoted = [
        HEAD + b"".join((b">" + line if line.lstrip(b">").startswith(b"From ") else line) + b"\n" for line in body)
        for body in bodies
    ]
    assert mails(b"".join(FROM + raw + b"\n" for raw in quoted)) == raws


def test_what_pythons_mailbox_writes_comes_out_as_it_was(tmp_path: Path) -> None:
    raws = [HEAD + b"From now on\n\nbids\n", HEAD + b"\n\n", HEAD + "1 000 €\n".encode()]
    box = mailbox.mbox(tmp_path / "box")
    for raw in raws:
        box.add(raw)
    box.close()
    assert mails((tmp_path / "box").read_bytes()) == raws


def test_reading_goes_on_from_the_end_of_any_mail() -> None:
    raws = [HEAD + b"%d\n" % number for number in range(5)]
    box = b"".join(FROM + raw + b"\n" for raw in raws)
    for count, (mail, end) in enumerate(read_mbox(io.BytesIO(box), 0, lambda: Incoming(10**6, Path())), 1):
        mail.close()
        assert mails(box, end) == raws[count:]


def test_a_mail_that_is_too_large_is_known_and_the_next_is_found() -> None:
    box = FROM + HEAD + b"x" * 5000 + b"\n\n" + FROM + HEAD + b"small\n"
    found = [mail for mail, _ in read_mbox(io.BytesIO(box), 0, lambda: Incoming(1000, Path()))]
    assert [mail.too_large for mail in found] == [True, False]
    for mail in found:
        mail.close()
