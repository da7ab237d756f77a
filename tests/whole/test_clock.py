"""Fault 77: the clock jumps between the runs of watcher, extraction and tending, Spark's processes among them."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from tests.whole.conftest import Whole, mails_of

JUMPS = ("+0", "+1y", "-2h")
MAILS = 15  # behind each jump


@pytest.mark.soak  # three minutes: a JVM whose clock is not its machine's waits by turning round
@pytest.mark.timeout(900)
def test_when_the_clock_jumps_a_year_and_back_nothing_is_deleted_and_the_rows_are_equal(
    whole: Whole, needs: Callable[..., str], seed: int
) -> None:
    asked = [needs("faketime"), "-f", "+0", "printenv", "LD_PRELOAD"]
    library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    whole.use_segments_of(4096)
    raws = mails_of(seed, MAILS * len(JUMPS), whole.home / "generated")
    for number, jump in enumerate(JUMPS):
        faked = {"LD_PRELOAD": library, "FAKETIME": jump, "NO_FAKE_STAT": "1"}
        for each, raw in enumerate(raws[number :: len(JUMPS)]):
            whole.deliver(f"{number}.{each}", raw)
        commands = [["watch", "--once"], ["topic", "alter", "mails", "--retention", "1h"], ["extract"], ["log", "tend"]]
        for words in commands if number else [*commands[:2], commands[3]]:
            done = whole.run(*words, **faked)
            assert done.returncode == 0, (jump, words, done.stderr[-2000:])
    times = defaultdict(list)
    for record in whole.lines("log", "read", "--topic", "mails"):
        times[record["partition"]].append(datetime.fromisoformat(record["timestamp"]))
    assert all(before <= after for found in times.values() for before, after in pairwise(found))
    assert max(map(max, times.values())) - min(map(min, times.values())) > timedelta(300), "the clock did jump"
    whole.check()
