from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition, open_log
from log.embedded import EmbeddedLog

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


@pytest.mark.parametrize("lost", ["log", "log/state", "log/state/mails-0/watermark"])
def test_who_opens_the_log_to_append_finds_lost_watermarks_again(
    options: LogSettings, embedded: EmbeddedLog, lost: str, caplog: pytest.LogCaptureFixture
) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    embedded.close()
    path = options.root.parent / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with closing(open_log(options)) as log:
        assert log.span(SOURCE) == range(1)
        assert [record.value for record in log.read(SOURCE, 0, 100)] == [b"value"]
    assert "mails-0: its high watermark was lost: found again" in caplog.text


def test_a_watermark_that_cannot_be_found_again_is_named_with_the_reason(
    options: LogSettings, embedded: EmbeddedLog, caplog: pytest.LogCaptureFixture
) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    embedded.close()
    shutil.rmtree(options.root / "state")
    for folder in options.replicas[:2]:
        shutil.rmtree(folder / "mails-0")
    with closing(open_log(options)) as log, pytest.raises(LogUnusable, match="otclog log tend"):
        log.span(SOURCE)
    assert "mails-0: its high watermark is lost, and not found again" in caplog.text
