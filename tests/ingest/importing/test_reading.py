from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings
from ingest.importing.reading import NAMED, Item, read_items

FROM = b"From a@b.example Mon Nov  2 10:00:00 2026\n"
HEAD = b"From: a@b.example\n\n"


@pytest.fixture
def items(settings: Settings) -> Callable[..., list[Item]]:
    settings.log.root.mkdir()

    def read(named: Path, done: int = 0) -> list[Item]:
        small = replace(settings, ingest=replace(settings.ingest, max_mail_bytes=1000))
        found = list(read_items(named, small, lambda *_: done))
        for item in found:
            item.close()
        return found

    return read


Items = Callable[..., list[Item]]


def test_a_folder_gives_its_mails_and_the_mails_of_its_mailboxes(tmp_path: Path, items: Items) -> None:
    box = tmp_path / "mails" / "box"
    box.parent.mkdir()
    box.write_bytes(FROM + HEAD + b"1\n\n" + FROM + HEAD + b"2\n")
    (box.parent / "one.eml").write_bytes(HEAD + b"3\n")
    (box.parent / "empty").touch()
    (box.parent / "truth.jsonl").write_text('{"kind": "meta"}\n')
    (box.parent / "README.md").write_text("# Mails\n")
    found = items(box.parent)
    assert [(item.path.name, item.mail and item.mail.raw) for item in found] == [
        ("box", HEAD + b"1\n"),
        ("box", HEAD + b"2\n"),
        ("empty", b""),
        ("one.eml", HEAD + b"3\n"),
    ]
    assert [item.mail.source for item in found if item.mail] == [f"import:{box}"] * 2 + [f"import:{box.parent}"] * 2
    assert [item.mail.name for item in found if item.mail][:2] == ["box@0", f"box@{found[0].done}"]
    assert [(item.done, item.size) for item in found][:2] == [(len(FROM + HEAD) + 3,) * 2, (box.stat().st_size, 63)]


def test_a_file_named_by_itself_is_a_mail_however_it_begins(tmp_path: Path, items: Items) -> None:
    (tmp_path / "x").write_bytes(b"no header\n")
    assert [item.mail and item.mail.raw for item in items(tmp_path / "x")] == [b"no header\n"]


def test_it_goes_on_where_a_file_is_done(tmp_path: Path, items: Items) -> None:
    first = FROM + HEAD + b"1\n\n"
    (tmp_path / "box").write_bytes(first + FROM + HEAD + b"2\n")
    (tmp_path / "mail").write_bytes(HEAD)
    assert [item.mail and item.mail.raw for item in items(tmp_path / "box", len(first))] == [HEAD + b"2\n"]
    assert items(tmp_path / "mail", len(HEAD)) == []


def test_what_cannot_be_taken_is_told_and_the_rest_goes_on(tmp_path: Path, items: Items) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "box").write_bytes(FROM + HEAD + b"x" * 2000 + b"\n\n" + FROM + HEAD + b"2\n")
    (tmp_path / "m" / "large").write_bytes(HEAD + b"x" * 2000)
    (tmp_path / "m" / "mail").write_bytes(HEAD)
    found = items(tmp_path / "m")
    assert [(item.path.name, item.mail is not None, item.status is not None) for item in found] == [
        ("box", False, True),  # passed by: the file's progress goes on
        ("box", True, True),
        ("large", False, False),  # to be tried again
        ("mail", True, True),
    ]
    assert "more than max_mail_bytes" in found[0].why
    assert "more than max_mail_bytes" in found[2].why


@pytest.mark.parametrize("after", [1, 2, 3])
@pytest.mark.parametrize("now", ["shorter", "longer", "as long", "empty"])
def test_of_an_mbox_that_is_written_while_it_is_read_no_torn_mail_is_given_and_it_is_told(
    settings: Settings, tmp_path: Path, now: str, after: int
) -> None:
    def mails(*numbers: int) -> bytes:
        return b"".join(FROM + HEAD + b"%05d" % number * 4000 + b"\n\n" for number in numbers)

    settings.log.root.mkdir()
    (tmp_path / "box").write_bytes(mails(*range(9)))
    os.utime(tmp_path / "box", (1, 1))
    given: list[bytes | None] = []
    told: list[str] = []
    for item in read_items(tmp_path / "box", settings, lambda *_: 0):
        if item.mail:
            given.append(item.mail.raw)
        else:
            told.append(item.why)
        item.close()
        if len(given) == after:
            changed = {"shorter": range(3, 9), "longer": range(4, 15), "as long": range(10, 19), "empty": ()}
            (tmp_path / "box").write_bytes(mails(*changed[now]))
    assert given == [HEAD + b"%05d" % number * 4000 + b"\n" for number in range(after)]
    assert len(told) == 1
    assert "written to while it was read" in told[0]


def test_an_mbox_that_becomes_empty_when_it_is_gone_on_with_is_told(settings: Settings, tmp_path: Path) -> None:
    settings.log.root.mkdir()
    first = FROM + HEAD + b"x" * 100_000 + b"\n\n"
    (tmp_path / "box").write_bytes(first + FROM + HEAD)

    def done(path: Path, _: os.stat_result) -> int:
        path.write_bytes(FROM + HEAD)
        return len(first)

    (item,) = read_items(tmp_path / "box", settings, done)
    assert "written to while it was read" in item.why


@pytest.mark.parametrize("name", [b"X_Spam_Score", b"!a.b/c~", b"2nd", b"Subject \t"])
def test_a_mail_may_begin_with_any_name_of_a_header_field(tmp_path: Path, items: Items, name: bytes) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "1").write_bytes(name + b": 0\n" + HEAD)
    assert [item.mail and item.mail.raw for item in items(tmp_path / "m")] == [name + b": 0\n" + HEAD]


@pytest.mark.parametrize("start", [b'{"a": 1}', b'"a": 1', b"<a:b/>", b"[a:b]", b"# Mails: 2", b"no header\n"])
def test_all_of_a_maildir_is_taken_and_nothing_else_that_does_not_begin_as_mails_do(
    tmp_path: Path, items: Items, start: bytes
) -> None:
    for part in ("tmp", "new", "cur"):
        (tmp_path / "m" / part).mkdir(parents=True)
    for place in ("m/new/1", "m/cur/2:2,S", "m/tmp/3", "m/other"):
        (tmp_path / place).write_bytes(start)
    assert [str(item.path.relative_to(tmp_path)) for item in items(tmp_path / "m")] == ["m/cur/2:2,S", "m/new/1"]
    assert len(items(tmp_path / "m" / "new")) == 1


def test_of_many_files_that_are_passed_over_some_are_named_and_the_rest_is_counted(
    tmp_path: Path, items: Items, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "m").mkdir()
    for number in range(NAMED + 3):
        (tmp_path / "m" / f"{number}.jsonl").write_bytes(b'{"a": 1}')
    assert items(tmp_path / "m") == []
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == NAMED + 1
    assert told[-1] == f"{tmp_path / 'm'}: 3 more files are passed over, for they do not begin as mails do"


def test_no_link_or_fifo_is_opened(tmp_path: Path, items: Items) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name in ("fifo", "link"):
        (item,) = items(tmp_path / name)
        assert item.mail is None
