"""ops.alerts.home: what status calls a warning and wakes somebody all the same, and of what nothing could be found out."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace

import conf
from log import Record, TopicPartition, open_log
from ops.alerts.home import standing


def test_a_late_group_is_an_alarm_whosever_it_is(settings: conf.Settings) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"key", b"mail")])
        log.commit("audit", {TopicPartition("mails", 0): 0})
    time.sleep(0.002)
    late = replace(settings, status=replace(settings.status, oldest_unread_after_s=1e-6))
    found = [(each.subject, each.level) for each in standing(late).found.alarms if each.kind == "lag"]
    assert found == [("audit/mails", "warning")]


def test_groups_and_topics_are_unseen_while_the_log_is_away_and_not_where_there_are_none(
    settings: conf.Settings,
) -> None:
    of_a_log = {"topic", "skew", "lag", "replica", "records"}
    with closing(open_log(settings.log)):
        assert of_a_log.isdisjoint(thing.kind for thing in standing(settings).found.unseen)
    settings.ingest.ledger.touch()
    settings.log.root.rename(settings.log.root.with_name("away"))
    assert of_a_log <= {thing.kind for thing in standing(settings).found.unseen}
