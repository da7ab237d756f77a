from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from msgspec.structs import astuple

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable
from parsers.mail.budget import MAX_MEMBERS, Budget
from parsers.mail.zips import gzip_member, zip_members


def zipped(contents: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as package:
        for name, data in contents.items():
            package.writestr(name, data)
    return out.getvalue()


def read(data: bytes, kind: str = kinds.ZIP, name: str | None = None) -> dict[str, bytes]:
    if kind == kinds.GZIP:
        return dict([astuple(gzip_member(data, name, Budget()))])
    return dict(map(astuple, zip_members(data, Budget())))


def test_the_files_of_a_zip_come_out_and_folders_are_none() -> None:
    contents = {"EUR/run.csv": b"a,b", "EUR/": b""}
    assert read(zipped(contents)) == {"EUR/run.csv": b"a,b"}


@pytest.mark.parametrize(
    ("name", "member"),
    [("run.csv.gz", "run.csv"), ("run", "run"), (None, "file"), ("d/x.GZ", "x"), ("run.tgz", "run.tar")],
)
def test_gzip_holds_one_file(name: str | None, member: str) -> None:
    assert read(gzip.compress(b"a,b"), kinds.GZIP, name) == {member: b"a,b"}


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
