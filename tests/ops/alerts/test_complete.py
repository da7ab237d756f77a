"""ops.alerts.looking: up to when all mails are known, before anybody is called silent."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

import conf
from log import Record, open_log
from ops.alerts.looking import _complete_until
from ops.status import status
from tests.ops.alerts.dealers.traffic import regular
from tests.ops.alerts.test_looking import TODAY, Whole, at, whole

__all__ = ["whole"]  # a fixture


def test_while_the_log_is_away_no_dealer_is_called_silent_and_none_that_was_is_called_back(whole: Whole) -> None:
    name, tuesday = regular(), TODAY + timedelta(days=1)
    whole.until(at(tuesday, 0))
    assert whole.look() == []
    whole.until(at(tuesday, 20), lambda mail: None if mail.dealer == name else mail)
    root, away = whole.settings.log.root, whole.settings.log.root.with_name("away")
    root.rename(away)
    assert whole.look(3) == [("firing", "log", str(root))]
    away.rename(root)
    assert whole.look(3) == [("firing", "silent", name), ("resolved", "log", str(root))]
    root.rename(away)
    assert whole.look(3) == [("firing", "log", str(root))]
    away.rename(root)
    assert whole.look(3) == [("resolved", "log", str(root))]


def test_old_mails_that_an_import_left_waiting_keep_nobody_from_being_called_silent(settings: conf.Settings) -> None:
    now = datetime.now(UTC) + timedelta(days=1)
    with closing(open_log(settings.log)) as log:
        for topic in ("mails", settings.ingest.backfill_topic):
            log.create_topic(topic, 1)
        log.append(settings.ingest.backfill_topic, [Record(b"key", b"mail")])
    lines = list(status(settings))
    waiting = [line.values["topic"] for line in lines if line.what == "group" and line.values["oldest_unread"]]
    assert waiting == [settings.ingest.backfill_topic]
    assert _complete_until(lines, settings, now) == now
