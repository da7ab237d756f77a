from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from log.kafka import KafkaLog
from otclog import app
from tests.brokers import addresses, emptied


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "otclog.toml"
    file.write_text(
        '[log]\nbackend = "kafka"\nclaims = ["claims"]\n[log.kafka]\nbootstrap = "k1:9092"\n'
        '[ingest]\ntopic = "desk"\n[[ingest.routes]]\nname = "axes"\ntopic = "axes"\nhas_attachment = true\n'
    )
    return file


def run(file: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["kafka", *words, "--config", str(file)])


def test_rights_are_commands_for_every_topic_that_the_settings_name(file: Path) -> None:
    done = run(file, "acls", "publisher", "--principal", "User:CN=watch, O=desk")
    assert done.exit_code == 0, done.output
    lines = [shlex.split(line) for line in done.stdout.splitlines()]
    assert [words[-1] for words in lines] == ["axes", "desk", "mails-backfill", "__otclog_claims", "ingest-journal"]
    assert all(words[:3] == ["kafka-acls.sh", "--bootstrap-server", "k1:9092"] for words in lines)
    assert all(words[5] == "User:CN=watch, O=desk" for words in lines)


def test_the_topic_of_messages_is_among_them_where_the_settings_say_that_they_go_there(file: Path) -> None:
    assert " ops" not in run(file, "acls").stdout
    file.write_text(f'{file.read_text()}\n[logging]\nops = "warning"\n')
    lines = [line for line in run(file, "acls").stdout.splitlines() if line.endswith("--topic ops")]
    assert [line.partition("User:")[2].split()[0] for line in lines] == ["publisher", "job", "reader", "administrator"]


def test_a_program_gets_one_object_a_right(file: Path) -> None:
    rows = [json.loads(line) for line in run(file, "acls", "--group", "audit", "--json").stdout.splitlines()]
    assert {row["role"] for row in rows} == {"publisher", "job", "reader", "administrator"}
    assert {
        "role": "job",
        "principal": "User:job",
        "resource": "transactional-id",
        "name": "otclog.audit",
        "pattern": "literal",
        "operation": "Write",
    } in rows


def test_a_role_that_there_is_not_is_refused_with_those_there_are(file: Path) -> None:
    done = run(file, "acls", "boss")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "administrator" in done.stderr


@pytest.mark.slow
def test_topics_are_made_for_those_who_may_not_and_only_what_is_missing(
    file: Path, brokers: Path, kafka: KafkaLog
) -> None:
    emptied(brokers)
    file.write_text(file.read_text().replace("k1:9092", addresses(brokers)))
    kafka.create_topic("axes", 2)
    shown = [json.loads(line) for line in run(file, "topics", "--json").stdout.splitlines()]
    assert [row["state"] for row in shown] == ["there", *["missing"] * 5]
    assert kafka.topics() == ["axes"]
    assert run(file, "topics", "--execute").exit_code == 0
    assert kafka.topics() == ["__otclog_claims", "__otclog_groups", "axes", "desk", "ingest-journal", "mails-backfill"]
    assert (kafka.partition_count("axes"), kafka.partition_count("desk")) == (2, 4)
    assert kafka.topic_config("__otclog_groups").cleanup == "compact"
