from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from py7zr import SevenZipFile

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.budget import MAX_MEMBERS, Budget
from parsers.documents.sniff import sniff
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.sevenzips import sevenzip_members


def packed(contents: dict[str, bytes], password: str | None = None) -> bytes:
    out = io.BytesIO()
    with SevenZipFile(out, "w", password=password) as archive:
        for name, data in contents.items():
            archive.writestr(data, name)
    return out.getvalue()


def read(data: bytes) -> dict[str, bytes]:
    return {member.name: member.data for member in sevenzip_members(data, Budget())}


def test_the_files_of_a_7z_come_out() -> None:
    contents = {"EUR/run.csv": b"a,b", "big.txt": bytes(range(256)) * 500, "none": b""}
    data = packed(contents)
    assert sniff(data) == kinds.SEVEN_ZIP
    assert read(data) == contents


def test_the_files_come_out_where_there_is_no_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert read(packed({"bin/run.csv": b"a,b"})) == {"bin/run.csv": b"a,b"}


@pytest.mark.parametrize(
    ("made", "code"),
    [
        pytest.param(lambda: packed({"run.csv": b"a,b"}, "secret"), Code.PASSWORD_PROTECTED, id="a password"),
        pytest.param(lambda: packed({"zeros": bytes(20 * 2**20)}), Code.ARCHIVE_LIMIT, id="a bomb"),
        pytest.param(
            lambda: packed({str(number): b"x" for number in range(MAX_MEMBERS + 1)}),
            Code.ARCHIVE_LIMIT,
            id="too many members",
        ),
        pytest.param(lambda: packed({"a": b"x" * 999})[:-20], Code.CORRUPT_PART, id="cut off"),
        pytest.param(lambda: b"7z\xbc\xaf\x27\x1c" + b"\xff" * 60, Code.CORRUPT_PART, id="no 7z"),
    ],
)
def test_what_cannot_be_unpacked_has_a_code(made: Callable[[], bytes], code: Code) -> None:
    data = made()  # here alone: who collects the tests, or runs another one, need not wait for it
    with pytest.raises(Unreadable) as refused:
        read(data)
    assert refused.value.code is code


def test_no_damage_of_one_byte_raises_anything_else() -> None:
    data = packed({"run.csv": b"XS2641318121,98.25,98.75\n" * 20})
    for at in range(6, len(data)):
        damaged = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        with contextlib.suppress(Unreadable):
            read(damaged)
