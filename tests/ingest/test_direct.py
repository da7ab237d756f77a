from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conf import Settings
from ingest import direct
from log import CommitLog, StoredRecord

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
