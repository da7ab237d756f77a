from __future__ import annotations

import json

import pytest

from ingest import command
from ingest.command import Total, reporting
from ingest.folders.serving import Batch

FIRST = Batch("a", mails=5, published=3, dropped=1, failed=2, bytes=10, seconds=0.5)
SECOND = Batch("b", mails=1)


def test_into_a_file_it_tells_the_first_sum_at_once_and_later_ones_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with reporting(Total("not taken"), "watching", as_json=False) as report:
        report(FIRST)
        first = "watching: 3 mails into the log, 1 known already, 1 dropped by rules, 2 not taken\n"
        assert capsys.readouterr().err == first
        report(SECOND)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(command, "TELL_EVERY_S", 0.0)
        report(SECOND)
        assert capsys.readouterr().err.startswith("watching: 3 mails into the log")


def test_without_a_terminal_it_tells_the_sum_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with reporting(Total("not taken"), None, as_json=False) as report:
        report(FIRST)
        report(SECOND)
        assert capsys.readouterr().out == ""
    told = capsys.readouterr()
    assert told.out == "3 mails into the log, 2 known already, 1 dropped by rules, 2 not taken\n"
    assert told.err == ""


def test_in_json_it_tells_every_batch_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    total = Total("not taken")
    with reporting(total, "watching", as_json=True) as report:
        report(FIRST)
        assert json.loads(capsys.readouterr().out) == {
            "source": "a", "mails": 5, "published": 3, "dropped": 1, "failed": 2, "bytes": 10, "seconds": 0.5,
            "known": 1,
        }  # fmt: skip
    assert capsys.readouterr().out == ""
    assert total.failed == 2


def test_json_tells_of_each_mail_what_became_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    with reporting(Total("not taken"), "watching", as_json=True) as report:
        report(SECOND)
    told = json.loads(capsys.readouterr().out)
    assert told["mails"] == told["published"] + told["dropped"] + told["known"] == told["known"] == 1
