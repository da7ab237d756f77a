"""What no reparse is made of: each is refused in words, and before anything is parsed where that can be."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

import conf
from log import Record, TopicPartition, open_log
from pipelines.errors import NothingPublished, OtherLog, Overtaken, ShadowOutdated
from pipelines.jobs import parse_step
from pipelines.jobs.extract import extract
from pipelines.jobs.reparsing import shadow as making
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.reparse import execute, preview, reparse
from pipelines.jobs.reparsing.shadow import make
from pipelines.readers.selection import Selection, chosen
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import TOPIC, Home

if TYPE_CHECKING:
    from parsers.outcome import MailOutcome

pytestmark = pytest.mark.slow

Otclog = Callable[..., Result]
COMMAND = [str(Path(sys.executable).with_name("otclog")), "reparse"]


@pytest.fixture
def nothing_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(*_: object) -> MailOutcome:
        raise AssertionError("a mail was parsed")

    monkeypatch.setattr(parse_step, "_outcome", outcome)


@pytest.fixture
def own(settings: conf.Settings, tmp_path: Path, mails: list[bytes]) -> Iterator[Home]:
    """A log of its own, all of which is extracted."""
    few = dataclasses.replace(settings, extract=dataclasses.replace(settings.extract, small_mails=1000))
    with closing(open_log(settings.log)) as log:
        log.create_topic(TOPIC, 1)
        log.append(TOPIC, [Record(b"k", mail) for mail in mails[:4]])
        extract(few, log, "live", TOPIC, 1000)
        yield Home(few, log, "live", tmp_path / "otclog.toml")


@pytest.mark.usefixtures("nothing_is_parsed")
def test_where_nothing_is_published_it_is_said_before_any_mail_is_parsed(
    fresh: Home, everything_of: Callable[[Home], list[OffsetRange]]
) -> None:
    for do in (
        lambda: make(fresh.settings, fresh.log, everything_of(fresh), "{}"),
        lambda: reparse(fresh.settings, fresh.log, everything_of(fresh)),
        lambda: preview(fresh.settings, fresh.log, everything_of(fresh)),
    ):
        with pytest.raises(NothingPublished, match="otclog extract"):
            do()


@pytest.fixture
def everything_of() -> Callable[[Home], list[OffsetRange]]:
    return lambda home: [OffsetRange(*source, 0, end) for source, end in home.ends.items()]


@pytest.mark.usefixtures("own", "nothing_is_parsed")  # in this order
@pytest.mark.parametrize("by", ["offsets", "Message-ID"])
def test_a_selection_of_a_topic_that_was_made_anew_is_refused(own: Home, otclog: Otclog, by: str) -> None:
    selection = Selection(("mails:0",)) if by == "offsets" else Selection(filters={"state": "parsed"})
    words = ["mails:0"] if by == "offsets" else ["--state", "parsed"]
    own.log.delete_topic(TOPIC)
    own.log.create_topic(TOPIC, 1)
    own.log.append(TOPIC, [Record(b"k", b"From: other@bank.example\r\n\r\nanother mail\r\n")] * 9)
    ranges = chosen(own.log, own.store, selection)
    for do in (
        lambda: make(own.settings, own.log, ranges, "{}"),
        lambda: preview(own.settings, own.log, ranges),
    ):
        with pytest.raises(OtherLog, match="has rows of another topic mails"):
            do()
    for option in ([], ["--shadow"], ["--execute"]):
        told = otclog(own, "reparse", *words, *option)
        assert (told.exit_code, "has rows of another topic mails" in told.stderr) == (1, True)


def test_of_two_reparses_of_overlapping_mails_the_later_one_is_refused_and_keeps_its_shadow(small: Home) -> None:
    one, other = (
        make(small.settings, small.log, [OffsetRange(TOPIC, 0, *places)], "{}") for places in ((0, 3), (2, 4))
    )
    apart = make(small.settings, small.log, [OffsetRange(TOPIC, 1, 0, 1)], "{}")
    execute(small.settings, small.log, one)
    with pytest.raises(ShadowOutdated, match=f"reparse {one.id} has written rows of 1 of its records since"):
        execute(small.settings, small.log, other)
    execute(small.settings, small.log, apart)
    assert [each.id for each in shadows.all_of(small.store)] == [other.id]


def test_a_reparse_that_another_one_has_overtaken_leaves_no_shadow_and_may_be_tried_again(
    small: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = making.make
    both = [OffsetRange(TOPIC, 0, 0, 3)]

    def overtaken(*arguments: Any) -> Any:
        made = own(*arguments)
        with monkeypatch.context() as patched:
            patched.setattr(making, "make", own)
            reparse(small.settings, small.log, [OffsetRange(TOPIC, 0, 2, 4)])
        return made

    with monkeypatch.context() as patched:
        patched.setattr(making, "make", overtaken)
        with pytest.raises(Overtaken, match="has written rows of 1 of its records while they were parsed") as refused:
            reparse(small.settings, small.log, both)
    assert refused.value.retriable
    assert shadows.all_of(small.store) == []
    reparse(small.settings, small.log, both)


def test_records_that_were_deleted_are_told_in_the_plan_however_they_are_chosen(own: Home, otclog: Otclog) -> None:
    own.log.delete_records(TopicPartition(TOPIC, 0), 3)
    digests = [row["message_key"] for row in own.rows("mails") if row["log_offset"] == 1]
    for words, gone in ((["mails"], 3), (["mails:0"], 3), (["mails:0:1-4"], 2), (["--sha256", *digests], 1)):
        told = " ".join(otclog(own, "reparse", *words).stderr.split())
        assert f"{gone} of the " in told
        assert "--shadow and --execute are refused, unless --allow-gap takes the rest" in told
        refused = otclog(own, "reparse", *words, "--execute")
        assert (refused.exit_code, "of this partition the log has the offsets from 3" in refused.stderr) == (1, True)
    rest = otclog(own, "reparse", "mails:0", "--allow-gap")
    assert (rest.exit_code, "3 records are no longer in the log" in rest.stderr) == (0, True)
    none = otclog(own, "reparse", "--sha256", *digests, "--allow-gap")
    assert (none.exit_code, "none of the records that are chosen is in the log any more" in none.stderr) == (1, True)


def test_two_reparses_at_once_both_end_in_order_or_the_later_one_says_why_not(own: Home) -> None:
    rows, before = own.outcomes(), latest(own.store).number
    environment = os.environ | {"OTCLOG_EXTRACT_SMALL_MAILS": "1000"}
    command = [*COMMAND, "mails:0", "--execute", "--config", str(own.file)]
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [process.communicate()[1] for process in both]
    refused = [text for process, text in zip(both, told, strict=True) if process.returncode]
    assert len(refused) < 2, told
    assert all("has written rows of 4 of its records while they were parsed" in text for text in refused)
    assert all(process.returncode in {0, 75} for process in both)
    assert shadows.all_of(own.store) == []
    assert latest(own.store).number == before + 2 - len(refused)
    assert own.outcomes() == rows
