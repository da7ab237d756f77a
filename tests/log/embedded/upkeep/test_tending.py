from __future__ import annotations

import shutil
from collections.abc import Callable

from conf.settings import LogSettings
from log import Record, TopicConfig
from log.embedded import EmbeddedLog

OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def test_what_cannot_be_done_is_said_and_the_rest_is_done(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1, TopicConfig(retention_bytes=1))
    for folder in options.replicas[2:]:
        shutil.rmtree(folder)
        folder.write_text("a file in the place of the folder")
    for number in range(5):
        log.append("mails", numbered(1, number, size=1500))
    done = log.tend()
    assert [(each.action, each.ok) for each in done] == [("rejoin", False), ("delete", True)]
    assert "disk-3 stays out of sync" in done[0].detail
    assert log.describe("mails")[0].start == 4
