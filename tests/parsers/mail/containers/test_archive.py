from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable

import pytest
from py7zr import SevenZipFile

from parsers.documents import kinds
from parsers.documents.budget import MAX_MEMBERS, Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.archive import CONTAINERS, members

Pack = Callable[[dict[str, bytes]], bytes]


def zipped(contents: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in contents.items():
            package.writestr(name, data)
    return out.getvalue()


def tarred(contents: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def sevenzipped(contents: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with SevenZipFile(out, "w") as archive:
        for name, data in contents.items():
            archive.writestr(data, name)
    return out.getvalue()


PACKED: dict[str, Pack] = {kinds.ZIP: zipped, kinds.TAR: tarred, kinds.SEVEN_ZIP: sevenzipped}


@pytest.mark.parametrize("kind", PACKED)
def test_files_come_out_of_each_kind_and_what_systems_put_in_stays(kind: str) -> None:
    contents = {"EUR/run.csv": b"a,b", "__MACOSX/._run.csv": b"x", ".DS_Store": b"x", "EUR/Thumbs.db": b"x"}
    found = members(PACKED[kind](contents), kind, None, Budget())
    assert [(member.name, member.data) for member in found] == [("EUR/run.csv", b"a,b")]


def test_a_gzip_holds_one_file() -> None:
    (member,) = members(gzip.compress(b"a,b"), kinds.GZIP, "run.csv.gz", Budget())
    assert (member.name, member.data) == ("run.csv", b"a,b")


def test_every_kind_has_its_name_in_paths() -> None:
    assert {*PACKED, kinds.GZIP, kinds.MBOX} == set(CONTAINERS)


def test_a_budget_is_shared_by_the_archives_of_a_mail() -> None:
    budget = Budget()
    data = zipped({str(number): b"x" for number in range(MAX_MEMBERS - 1)})
    assert len(list(members(data, kinds.ZIP, None, budget))) == MAX_MEMBERS - 1
    with pytest.raises(Unreadable):
        list(members(data, kinds.ZIP, None, budget))
