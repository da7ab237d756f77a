from __future__ import annotations

import gzip
import io
import random
import time
import zipfile

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.budget import MAX_MEMBERS, Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.zips import gzip_member, zip_members


def zipped(contents: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as package:
        for name, data in contents.items():
            package.writestr(name, data)
    return out.getvalue()


def read(data: bytes, kind: str = kinds.ZIP, name: str | None = None) -> dict[str, bytes]:
    if kind == kinds.GZIP:
        member = gzip_member(data, name, Budget())
        return {member.name: member.content()}
    return {member.name: member.content() for member in zip_members(data, Budget())}


def test_the_files_of_a_zip_come_out_and_folders_are_none() -> None:
    contents = {"EUR/run.csv": b"a,b", "EUR/": b""}
    assert read(zipped(contents)) == {"EUR/run.csv": b"a,b"}


@pytest.mark.parametrize(
    ("name", "member"),
    [("run.csv.gz", "run.csv"), ("run", "run"), (None, "file"), ("d/x.GZ", "x"), ("run.tgz", "run.tar")],
)
def test_gzip_holds_one_file(name: str | None, member: str) -> None:
    assert read(gzip.compress(b"a,b"), kinds.GZIP, name) == {member: b"a,b"}


def test_a_gzip_that_was_appended_to_holds_all_that_was_appended() -> None:
    appended = gzip.compress(b"a,b\n") + bytes(3) + gzip.compress(b"c,d\n" * 50_000) + b"\0\0 tail"
    assert read(appended, kinds.GZIP, "run.csv.gz") == {"run.csv": b"a,b\n" + b"c,d\n" * 50_000}
    with pytest.raises(Unreadable):
        read(gzip.compress(b"a,b\n") + gzip.compress(b"c,d\n")[:-3], kinds.GZIP)


def test_a_large_gzip_is_unpacked_in_pieces_without_copies_of_its_rest() -> None:
    noise = random.Random(1).randbytes(20_000_000)
    began = time.process_time()
    assert read(gzip.compress(noise, 0), kinds.GZIP) == {"file": noise}
    assert time.process_time() - began < 2


def test_a_damaged_file_of_a_zip_costs_the_others_nothing() -> None:
    data = zipped({"a": b"first", "b": b"second", "c": b"third"}, zipfile.ZIP_STORED).replace(b"second", b"sekond", 1)
    found = list(zip_members(data, Budget()))
    assert [(member.name, member.data, member.error is None) for member in found] == [
        ("a", b"first", True),
        ("b", b"", False),
        ("c", b"third", True),
    ]
    with pytest.raises(Unreadable) as refused:
        found[1].content()
    assert refused.value.code is Code.CORRUPT_PART


def lying() -> bytes:
    """A zip whose headers say that 8 MiB of zeros are 100 bytes."""
    data = bytearray(zipped({"zeros": bytes(8 * 2**20)}))
    size = (8 * 2**20).to_bytes(4, "little")
    while (at := data.find(size)) >= 0:
        data[at : at + 4] = (100).to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        pytest.param(zipped({"zeros": bytes(20 * 2**20)}), kinds.ZIP, Code.ARCHIVE_LIMIT, id="a zip bomb"),
        pytest.param(gzip.compress(bytes(20 * 2**20)), kinds.GZIP, Code.ARCHIVE_LIMIT, id="a gzip bomb"),
        pytest.param(
            zipped({str(number): b"x" for number in range(MAX_MEMBERS + 1)}),
            kinds.ZIP,
            Code.ARCHIVE_LIMIT,
            id="too many members",
        ),
        pytest.param(lying(), kinds.ZIP, Code.CORRUPT_PART, id="headers that lie"),
        pytest.param(zipped({"a": b"x" * 999})[:100], kinds.ZIP, Code.CORRUPT_PART, id="a zip cut off"),
        pytest.param(gzip.compress(b"x" * 999)[:-9], kinds.GZIP, Code.CORRUPT_PART, id="a gzip cut off"),
        pytest.param(b"\x1f\x8b\x08 no", kinds.GZIP, Code.CORRUPT_PART, id="no gzip"),
    ],
)
def test_what_cannot_be_unpacked_has_a_code(data: bytes, kind: str, code: Code) -> None:
    with pytest.raises(Unreadable) as refused:
        read(data, kind)
    assert refused.value.code is code


def test_an_encrypted_member_protects_the_archive() -> None:
    data = bytearray(zipped({"run.csv": b"a,b"}, zipfile.ZIP_STORED))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + at] |= 1
    with pytest.raises(Unreadable) as refused:
        read(bytes(data))
    assert refused.value.code is Code.PASSWORD_PROTECTED
