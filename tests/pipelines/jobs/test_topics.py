from __future__ import annotations

import pytest

from log.embedded import EmbeddedLog
from log.opslog import ensure_topic
from parsers.taught import Taught
from pipelines.errors import NothingToRead
from pipelines.jobs.plan import new_plan
from pipelines.jobs.topics import ids_of, made_anew, require_same
from pipelines.tables.ranges import OffsetRange
from tests.log.conftest import open_embedded, options  # noqa: F401 -- fixtures


@pytest.fixture
def log(open_embedded) -> EmbeddedLog:  # type: ignore[no-untyped-def]  # noqa: ANN001, F811
    log: EmbeddedLog = open_embedded()
    log.create_topic("mails", 1)
    return log


def test_a_topic_of_the_same_name_is_another_one(log: EmbeddedLog) -> None:
    ranges = [OffsetRange("mails", 0, 0, 5)]
    plan = new_plan("reparse", None, ranges, Taught.load(None), topics=ids_of(log, ["mails"]))
    require_same(log, plan)
    log.delete_topic("mails")
    assert made_anew(log, plan) == ["mails"]
    log.create_topic("mails", 1)
    with pytest.raises(NothingToRead, match="topic mails was deleted, or made anew, since the run was planned"):
        require_same(log, plan)


def test_a_topic_that_there_is_not_is_said(log: EmbeddedLog) -> None:
    with pytest.raises(NothingToRead, match="axes"):
        ids_of(log, ["axes"])


def test_the_topic_of_messages_has_no_mails(log: EmbeddedLog) -> None:
    ensure_topic(log)
    with pytest.raises(NothingToRead, match="topic ops is the log's own: it has no mails"):
        ids_of(log, ["mails", "ops"])


def test_a_plan_of_an_earlier_version_names_no_topic_and_holds(log: EmbeddedLog) -> None:
    require_same(log, new_plan("reparse", None, [OffsetRange("gone", 0, 0, 5)], Taught.load(None)))
