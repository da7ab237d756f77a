"""Brokers that take a connection and say nothing: told once, and waited for once."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import conf
from conf.home import make_home
from conf.settings import KafkaSettings
from ops.alerts.home import standing
from ops.doctor import examine
from ops.status import status

pytestmark = pytest.mark.slow  # each waits as long as a cluster may take


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[tuple[conf.Settings, str]]:
    """A home whose log is on a broker that answers nothing; and its address."""
    with closing(socket.create_server(("127.0.0.1", 0))) as broker:
        address = f"127.0.0.1:{broker.getsockname()[1]}"
        settings = conf.load(make_home(tmp_path / "home"), {})
        log = replace(
            settings.log,
            backend="kafka",
            claims=(tmp_path / "claims",),
            inline_max_bytes=786_432,
            kafka=KafkaSettings(bootstrap=address),
        )
        yield replace(settings, log=log), address


def test_status_says_once_that_no_broker_answers_and_what_to_look_at(silent: tuple[conf.Settings, str]) -> None:
    settings, address = silent
    (said,) = [line.detail for line in status(settings) if line.what == "log"]
    assert f"no answer from {address}: do they run, and can this machine reach them?" in said


def test_of_what_is_on_brokers_that_do_not_answer_an_alert_is_kept_as_it_is(silent: tuple[conf.Settings, str]) -> None:
    found = standing(silent[0]).found
    assert [alarm.kind for alarm in found.alarms if alarm.kind == "log"] == ["log"]
    assert {thing.kind for thing in found.unseen} >= {"topic", "skew", "lag", "records", "replica"}


def test_doctor_says_once_that_no_broker_answers_and_what_to_look_at(silent: tuple[conf.Settings, str]) -> None:
    settings, address = silent
    found = [each for each in examine(settings, tables=True) if address in each.detail]
    assert [(each.check, each.state) for each in found] == [("log", "fail")]
    assert f"no answer from {address}: do they run, and can this machine reach them?" in found[0].detail
