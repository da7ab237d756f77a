from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings
from ingest.importing.reading import Item, read_items

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


def test_no_link_or_fifo_is_opened(tmp_path: Path, items: Items) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name in ("fifo", "link"):
        (item,) = items(tmp_path / name)
        assert item.mail is None
