"""conf.settings: what the classes themselves refuse; the rest is the loader's."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

import conf
from conf.settings import OPS_TOPIC
from conf.values import Name
from log.opslog import TOPIC
from log.topic_rules import NAME, is_name


@pytest.mark.parametrize("route", ["topic = 'a'\ndrop = 'b'", ""])
def test_a_route_leads_to_a_topic_or_says_why_it_drops_and_never_both(tmp_path: Path, route: str) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text(f"[ingest]\n[[ingest.routes]]\n{route}\n")
    with pytest.raises(conf.ConfigError):
        conf.load(file, {})


def test_the_topic_of_messages_is_the_one_that_the_log_knows() -> None:
    assert OPS_TOPIC == TOPIC


def test_a_name_in_the_settings_is_what_the_log_takes_for_one() -> None:
    assert TypeAdapter(Name).json_schema()["pattern"] == f"^{NAME.pattern}$"
    for name in ("mails", "a.b_c-D9", "x" * 249, "", "a b", "ü", "mails\n", "x" * 250):
        try:
            taken = TypeAdapter(Name).validate_python(name) == name
        except ValidationError:
            taken = False
        assert taken == is_name(name)


def test_tables_are_never_in_a_folder_whose_name_reads_like_a_pattern(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text("[tables]\nroot = 'prices[2026]'\n")
    with pytest.raises(conf.ConfigError, match=r"otclog.toml:2: tables.root = .*choose another folder"):
        conf.load(file, {})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[ingest]\ntopic = 'ingest-journal'\n", "topic of otclog's own"),
        ("[ingest]\nbackfill_topic = '__otclog_groups'\n", "topic of otclog's own"),
        ("[ingest]\ntopic = 'ops'\n", "topic of otclog's own"),
        ("[log]\nreplicas = ['a', 'a/b']\n", "folders of their own"),
        ("[log]\nroot = 'a/log'\nreplicas = ['a', 'b']\n", "folders of their own"),
        ("[log]\nlock_timeout_s = inf\n", "lock_timeout_s"),
        ("[ingest]\nrescan_s = 1e12\n", "rescan_s"),
        ("[parsers]\nmemory_bytes = 1" + "0" * 30 + "\n", "memory_bytes"),
        ('[log]\nroot = "a\\u0000b"\n', "NUL"),
        ("[status]\nevery_s = { extract = 0 }\n", "status.every_s.extract"),
    ],
)
def test_what_no_machine_could_do_is_refused_at_the_start(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text(text)
    with pytest.raises(conf.ConfigError, match=says):
        conf.load(file, {})


def test_a_mail_may_wait_for_the_next_run_of_a_groups_job_and_as_long_as_that_may_take(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text("[status]\noldest_unread_after_s = 300\nevery_s = { audit = 86400 }\n")
    status = conf.load(file, {}).status
    assert (status.patience_s("extract"), status.patience_s("audit")) == (300, 86_700)
