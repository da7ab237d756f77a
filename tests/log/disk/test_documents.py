from __future__ import annotations

from pathlib import Path

import pytest

from log.disk.documents import FIELDS, newest, read_document, seal, unseal, write_document


def document(version: int, log_id: str = "a") -> dict[str, object]:
    return {"log_id": log_id, "version": version}


def test_a_document_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_document(tmp_path / "file", {"log_id": "a", "version": 1, "isr": [1, 2]})
    assert read_document(tmp_path / "file") == {"log_id": "a", "version": 1, "isr": [1, 2]}


def test_no_byte_of_a_document_can_change_unseen() -> None:
    whole = seal(document(12))
    for position in range(len(whole)):
        damaged = whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :]
        assert unseal(damaged) in (None, document(12)), position  # the same, where only white space changed


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"version": 1}', bytes(100), b"\xff\xfe"])
def test_what_is_no_document_is_none(data: bytes) -> None:
    assert unseal(data) is None


@pytest.mark.parametrize("name", FIELDS)
def test_a_file_that_another_one_was_copied_over_is_none(tmp_path: Path, name: str) -> None:
    write_document(tmp_path / name, dict.fromkeys(FIELDS[name], 1))
    assert read_document(tmp_path / name) is not None
    write_document(tmp_path / name, {"topic": "mails"})
    assert read_document(tmp_path / name) is None


def test_the_highest_version_holds(tmp_path: Path) -> None:
    for name, version in (("root", 3), ("one", 4), ("two", 2)):
        write_document(tmp_path / name, document(version))
    assert newest(tmp_path / "root", [tmp_path / "one", tmp_path / "two"]) == document(4)


def test_without_the_root_a_majority_is_needed(tmp_path: Path) -> None:
    copies = [tmp_path / name for name in ("one", "two", "three")]
    write_document(copies[0], document(1))
    assert newest(tmp_path / "root", copies) is None
    write_document(copies[1], document(2))
    assert newest(tmp_path / "root", copies) == document(2)


def test_a_damaged_root_counts_as_lost(tmp_path: Path) -> None:
    (tmp_path / "root").write_bytes(b"\0" * 100)
    write_document(tmp_path / "one", document(1))
    assert newest(tmp_path / "root", [tmp_path / "one", tmp_path / "two"]) is None


def test_a_copy_of_another_log_is_not_asked(tmp_path: Path) -> None:
    write_document(tmp_path / "root", document(1))
    write_document(tmp_path / "one", document(9, "another"))
    assert newest(tmp_path / "root", [tmp_path / "one"]) == document(1)


def about(topic_id: str, version: int) -> dict[str, object]:
    return {"log_id": "a", "topic_id": topic_id, "version": version}


def test_a_copy_of_a_deleted_topic_of_that_name_is_not_asked(tmp_path: Path) -> None:
    write_document(tmp_path / "root", about("new", 1))
    write_document(tmp_path / "one", about("old", 9))
    assert newest(tmp_path / "root", [tmp_path / "one"]) == about("new", 1)


def test_without_the_root_a_majority_says_which_topic_it_is(tmp_path: Path) -> None:
    copies = [tmp_path / name for name in ("one", "two", "three")]
    for copy, document in zip(copies, [about("new", 1), about("new", 2), about("old", 9)], strict=True):
        write_document(copy, document)
    assert newest(tmp_path / "root", copies) == about("new", 2)
    copies[0].unlink()
    assert newest(tmp_path / "root", copies) is None
