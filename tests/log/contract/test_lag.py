from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from log import CommitLog, Record, TopicPartition
from log.journal import move
from log.lag import LagMonitor, history_of
from log.rewind import to_earliest

SINGLE = TopicPartition("single", 0)


def test_how_far_a_group_is_behind_is_told_and_judged_and_a_rewind_is_told_from_a_loss(
    commit_log: CommitLog, tmp_path: Path
) -> None:
    monitor = LagMonitor(commit_log, "extract", ["single"], lambda _: 3600.0, history_of(tmp_path))

    def seen(alert_after_s: float | None = None) -> tuple[str, int, bool]:
        (judged,) = replace(monitor, alert_after_s=alert_after_s).look().judged
        return str(judged.state), judged.lag.lag, judged.alarms

    assert seen() == ("OK", 0, False)
    commit_log.append("single", [Record(None, b"value")] * 10)
    assert seen() == ("OK", 10, False)
    assert seen(0.0) == ("STOPPED", 10, True)
    commit_log.commit("extract", {SINGLE: 10})
    assert seen(0.0) == ("OK", 0, False)
    move(commit_log, "extract", [SINGLE], to_earliest)
    assert seen() == ("REWIND", 10, False)
    commit_log.commit("extract", {SINGLE: 10})
    assert seen() == ("OK", 0, False)
    commit_log.commit("extract", {SINGLE: 4})
    assert seen() == ("REWIND", 6, True)
