from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from conf import Settings
from ingest import direct
from ingest.incoming import SMALL_BYTES
from log import CommitLog, StoredRecord
from tests.ingest.test_incoming import largest_file

MAIL = b"From: a@b.example\n\nrun\n"

Stored = Callable[[CommitLog, str], list[StoredRecord]]


@pytest.fixture
def file(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of `settings`, to which recipients and a largest size are added."""
    monkeypatch.setenv("OTCLOG_INGEST_MAX_MAIL_BYTES", "1000")
    made = tmp_path / "otclog.toml"
    made.write_text(made.read_text() + '[lmtp]\nrecipients = ["*@here"]\n')
    assert settings.log.root.parent == tmp_path
    return made


def test_it_answers_as_the_daemon_would(file: Path, commit_log: CommitLog, stored: Stored) -> None:
    assert direct.append([MAIL[:5], MAIL[5:]], "a@here", file).startswith("250 2.0.0 is at mails-")
    assert direct.append([MAIL], "b@here", file).startswith("250 2.0.0 was at mails-")
    assert direct.append([MAIL], "a@there", file).startswith("550 ")
    assert direct.append([b"x" * 600] * 2, "a@here", file).startswith("552 ")
    (record,) = stored(commit_log, "mails")
    assert record.value == MAIL
    assert dict(record.headers)["source"] == b"lmtp:a@here"


def test_a_mail_that_the_disk_cannot_take_whole_is_to_be_tried_again_and_no_part_of_it_is_appended(
    file: Path, commit_log: CommitLog, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTCLOG_INGEST_MAX_MAIL_BYTES", "10000000")
    monkeypatch.setenv("OTCLOG_LOG_INLINE_MAX_BYTES", "4000000")

    def chunks() -> Generator[bytes]:
        yield MAIL
        with largest_file(SMALL_BYTES):  # only while this chunk is written
            yield b"x" * 2 * SMALL_BYTES

    with closing(chunks()) as given:
        assert direct.append(given, "a@here", file).startswith("452 ")
    assert direct.append([MAIL, b"x" * 2 * SMALL_BYTES], "a@here", file).startswith("250 2.0.0 is at ")
    (record,) = stored(commit_log, "mails")
    assert record.value == MAIL + b"x" * 2 * SMALL_BYTES
