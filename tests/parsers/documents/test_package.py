from __future__ import annotations

import io
import zipfile

import pytest

from parsers.codes import Code
from parsers.documents import package
from parsers.documents.budget import MAX_TOTAL_BYTES, Budget
from parsers.documents.package import (
    RATIO_FREE_BYTES,
    local,
    open_package,
    packed_member,
    parse_xml,
    read_member,
    stream_xml,
)
from parsers.documents.unreadable import Unreadable


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def test_a_member_is_read_by_its_name_and_none_is_none() -> None:
    with open_package(zipped({"xl/workbook.xml": b"<workbook/>"})) as opened:
        assert read_member(opened, "xl/workbook.xml") == b"<workbook/>"
        assert read_member(opened, "xl/styles.xml") is None


def test_a_member_is_found_in_whatever_case_and_with_whatever_slashes() -> None:
    with open_package(zipped({"XL\\Workbook.xml": b"<workbook/>"})) as opened:
        assert read_member(opened, "xl/workbook.xml") == b"<workbook/>"


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(Unreadable) as refused:
        open_package(zipped({"xl/workbook.xml": b" " * (64 * 2**20)}))
    assert refused.value.code is Code.ARCHIVE_LIMIT


def test_blank_cells_of_ordinary_size_may_pack_tightly() -> None:
    open_package(zipped({"xl/worksheets/sheet1.xml": b" " * RATIO_FREE_BYTES})).close()


def test_what_office_files_unpack_counts_against_their_mails_budget() -> None:
    budget = Budget()
    data = zipped({"word/media/image1.bmp": b" " * RATIO_FREE_BYTES})
    for _ in range(MAX_TOTAL_BYTES // RATIO_FREE_BYTES):
        open_package(data, budget).close()
    with pytest.raises(Unreadable) as refused:
        open_package(data, budget)
    assert refused.value.code is Code.ARCHIVE_LIMIT


def test_more_files_than_an_office_file_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_FILES", 2)
    with pytest.raises(Unreadable) as refused:
        open_package(zipped({"a": b"", "b": b"", "c": b""}))
    assert refused.value.code is Code.ARCHIVE_LIMIT


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 and no more"])
def test_what_is_no_whole_zip_is_corrupt(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        open_package(data)
    assert refused.value.code is Code.CORRUPT_PART


def test_a_member_with_damaged_bytes_is_corrupt() -> None:
    data = bytearray(zipped({"a.xml": bytes(range(256)) * 9}))
    data[60] ^= 0xFF
    with open_package(bytes(data)) as opened, pytest.raises(Unreadable) as refused:
        read_member(opened, "a.xml")
    assert refused.value.code is Code.CORRUPT_PART


def test_an_encrypted_member_asks_for_a_password() -> None:
    with open_package(zipped({"a.xml": b"<a/>"})) as opened:
        opened.getinfo("a.xml").flag_bits |= 0x1
        with pytest.raises(Unreadable) as refused:
            read_member(opened, "a.xml")
    assert refused.value.code is Code.PASSWORD_PROTECTED


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><workbook>&b;</workbook>'
    assert (parse_xml(bomb).text or "") == ""


def test_a_file_of_this_machine_is_not_read_through_an_entity() -> None:
    theft = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><workbook>&a;</workbook>'
    assert (parse_xml(theft).text or "") == ""


@pytest.mark.parametrize("data", [b"", b"<a>", b"<a></b>", b"\xff\xfe\x00"])
def test_broken_xml_is_corrupt(data: bytes) -> None:
    for read in (parse_xml, lambda given: list(stream_xml(given, ("a",)))):
        with pytest.raises(Unreadable) as refused:
            read(data)
        assert refused.value.code is Code.CORRUPT_PART


def test_streamed_elements_come_in_order_whatever_their_namespace_and_are_forgotten() -> None:
    strict = b'<s xmlns="http://purl.oclc.org/ooxml"><row r="1"><c/></row><other/><row r="2"/></s>'
    seen = []
    before = None
    for element in stream_xml(strict, ("row",)):
        assert before is None or len(before) == 0
        seen.append((local(element), element.get("r"), len(element)))
        before = element
    assert seen == [("row", "1", 1), ("row", "2", 0)]


def test_a_packed_member_is_the_same_whenever_it_was_written_and_another_where_it_says_anything_else() -> None:
    def of(content: str, year: int = 1980) -> tuple[object, ...] | None:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr(zipfile.ZipInfo("a.xml", (year, 1, 1, 0, 0, 0)), content)
        with zipfile.ZipFile(io.BytesIO(out.getvalue())) as opened:
            return packed_member(opened, "A.XML", out.getvalue())

    assert of("a") == of("a", 2026) is not None
    assert of("a") != of("b")
    with zipfile.ZipFile(io.BytesIO(), "w") as empty:
        assert packed_member(empty, "a.xml", b"") is None
