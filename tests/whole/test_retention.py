"""Faults 72 and 73: retention deletes records beside an extraction that goes on and reparses, all of them processes."""

from __future__ import annotations

import random

import pytest

from tests.whole.conftest import TABLES, Daemon, Whole, mails_of, until

UNDISTURBED = {"OTCLOG_TABLES_ROOT": "undisturbed", "OTCLOG_EXTRACT_GROUP": "undisturbed"}
# A reparse is refused so: of what is gone before it is planned, and of what goes after that.
GONE = ("of this partition the log has the offsets from", "nothing is published; retention deleted records since")
TRY_AGAIN = 75


@pytest.mark.parametrize(
    ("mails", "reparses"),
    [
        pytest.param(120, 2, marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
        pytest.param(1500, 20, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
def test_retention_takes_nothing_unread_and_no_row_of_a_table_beside_extraction_and_reparses(
    whole: Whole, mails: int, reparses: int, seed: int
) -> None:
    whole.use_segments_of(4096)
    for number, raw in enumerate(mails_of(seed, mails, whole.home / "generated")):
        whole.deliver(f"{number}", raw)
    assert whole.run("watch", "--once").returncode == 0
    assert whole.run("extract", **UNDISTURBED).returncode == 0
    ends = {row["partition"]: row["end"] for row in whole.lines("topic", "describe", "mails")}

    extract = whole.daemon("extract", "extract", "--every", "200ms", OTCLOG_EXTRACT_MAX_MAILS=str(mails // 6))
    extract.ensure()
    assert until(whole.number, 300), extract.tail()
    assert whole.run("topic", "alter", "mails", "--retention", "1s").returncode == 0
    tend = whole.daemon("tend", "log", "tend")  # one pass, begun again whenever it has ended

    def ended(reparse: Daemon) -> bool:
        tend.ensure()
        return reparse.code() is not None

    chance = random.Random(seed)
    for number in range(reparses):
        partition = chance.choice([each for each, end in ends.items() if end])
        first = chance.randrange(ends[partition] // 2, ends[partition])  # what may be there yet
        reparse = whole.daemon(
            f"reparse-{number}", "reparse", f"mails:{partition}:{first}-{ends[partition]}", "--execute"
        )
        reparse.ensure()
        assert until(lambda: ended(reparse), 600, 0.05), whole.tails()  # noqa: B023 -- called here
        assert reparse.code() == 0 or any(each in reparse.tail() for each in GONE), whole.tails()
    assert until(lambda: whole.is_read("extract"), 600, 1), whole.tails()
    extract.end()
    tend.end()
    assert whole.run("log", "tend").returncode == 0
    assert extract.codes == [], whole.tails()
    assert {*tend.codes} <= {0, TRY_AGAIN}, whole.tails()
    assert any(row["start"] for row in whole.lines("topic", "describe", "mails")), "nothing was deleted"
    ours, theirs = whole.rows(), whole.rows(whole.home / "undisturbed")
    for name in TABLES:
        assert ours[name] == theirs[name], name
    assert whole.run("log", "verify").returncode == 0
