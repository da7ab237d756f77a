from __future__ import annotations

import io
import tarfile

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.budget import Budget
from parsers.documents.sniff import sniff
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.tars import tar_members


def tarred(contents: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def linked() -> bytes:
    """A link out of the archive, a device, a folder, and a file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, kind in (("link", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("dev", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        folder = tarfile.TarInfo("EUR")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        info = tarfile.TarInfo("EUR/run.csv")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"a,b"))
    return out.getvalue()


def read(data: bytes) -> dict[str, bytes]:
    return {member.name: member.data for member in tar_members(data, Budget())}


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_the_files_of_a_tar_come_out_in_its_order_whatever_its_form(form: int) -> None:
    contents = {"EUR/run.csv": b"a,b", "../up": b"x" * 1000, "y" * 60 + "/" + "z" * 60: b""}
    data = tarred(contents, form)
    assert sniff(data) == kinds.TAR
    assert list(read(data).items()) == list(contents.items())


def test_links_devices_and_folders_are_no_files() -> None:
    assert read(linked()) == {"EUR/run.csv": b"a,b"}


def test_of_a_tar_that_is_cut_off_what_was_read_before_stays() -> None:
    found = tar_members(tarred({"a": b"1" * 600, "b": b"2" * 6000})[:3000], Budget())
    assert next(found).name == "a"
    with pytest.raises(Unreadable) as refused:
        next(found)
    assert refused.value.code is Code.CORRUPT_PART


def test_a_damaged_header_ends_a_tar_with_a_code_and_not_without_a_word() -> None:
    data = bytearray(tarred({"a": b"1" * 600, "b": b"2" * 600, "c": b"3"}))
    data[512 + 1024 + 10] ^= 0xFF
    found = tar_members(bytes(data), Budget())
    assert next(found).name == "a"
    with pytest.raises(Unreadable) as refused:
        next(found)
    assert refused.value.code is Code.CORRUPT_PART


def test_a_tar_without_the_zeros_at_its_end_is_whole() -> None:
    assert read(tarred({"a": b"1" * 512})[: 2 * 512]) == {"a": b"1" * 512}


def test_what_is_no_tar_is_corrupt() -> None:
    with pytest.raises(Unreadable) as refused:
        read(b"x" * 257 + b"ustar" + b"x" * 250)
    assert refused.value.code is Code.CORRUPT_PART
