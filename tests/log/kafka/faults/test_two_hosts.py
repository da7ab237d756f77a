"""Two hosts that read by one group, and a rewind of it: as if on other machines, in network namespaces of their own."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import conf
from log import Record, TopicPartition
from log.groups import GROUPS_PARTITION, GroupOffsets, offset_of
from log.kafka import KafkaLog
from log.reading import records_of
from pipelines.tables.publication import latest, table_of
from pipelines.tables.store.store import store_of
from tests.brokers import ROOT, addresses
from tests.log.kafka.faults.host import STEP
from tests.log.kafka.faults.senders import mail
from tests.namespaces import PREFIX, Relay, namespaces_or_skip
from tests.processes import killed_at_the_end

FOLDER = Path(__file__).parent
Host = subprocess.Popen[str]
BeginHost = Callable[[Path, str], Host]
MAILS = 20  # a round
TOLD = {  # by what a command ends with, and says
    (0, "the group was moved"): "moved",
    (0, "its group stays where it was put"): "told that the group was moved or taken over",
    (75, "is being extracted"): "told that the other extracts",
    (0, "has read all of topic"): "read all",
}


@pytest.fixture
def begin_host(brokers: Path, tmp_path: Path) -> Iterator[BeginHost]:
    """Run a program in a namespace, from where it reaches the broker, with a folder of its own."""
    namespaces_or_skip()
    bootstrap = addresses(brokers)
    with ExitStack() as stack:
        relay = Relay(int(bootstrap.rpartition(":")[2]))
        stack.callback(relay.close)

        def begin(program: Path, folder: str) -> Host:
            (tmp_path / folder).mkdir()
            with relay.channel() as channel:
                command = [*PREFIX, sys.executable, str(program), str(channel), bootstrap, str(tmp_path / folder)]
                environ = os.environ | {"PYTHONPATH": str(ROOT)}
                pipe = subprocess.PIPE
                host = subprocess.Popen(
                    command, pass_fds=[channel], env=environ, stdin=pipe, stdout=pipe, text=True, cwd=tmp_path
                )
                return stack.enter_context(killed_at_the_end(host))

        yield begin


@pytest.fixture
def hosts(begin_host: BeginHost) -> list[Host]:
    """Two that read and commit."""
    return [begin_host(FOLDER / "host.py", f"host{number}") for number in (1, 2)]


@pytest.fixture
def desks(begin_host: BeginHost, brokers: Path, tmp_path: Path) -> list[Host]:
    """Two that run commands of otclog's, over one set of tables."""
    begun = [begin_host(FOLDER / "commands.py", f"desk{number}") for number in (1, 2)]
    for number in (1, 2):
        (tmp_path / f"desk{number}" / "otclog.toml").write_text(f"""
            [log]
            backend = "kafka"
            claims = ["{tmp_path / "claims"}"]
            [log.kafka]
            bootstrap = "{addresses(brokers)}"
            [tables]
            root = "{tmp_path / "tables"}"
            [[ingest.sources]]
            path = "mail"
            kind = "maildir"
            [extract]
            small_mails = 0
            """)
    return begun


def tell(host: Host, asked: dict[str, Any]) -> None:
    assert host.stdin
    host.stdin.write(json.dumps(asked) + "\n")
    host.stdin.flush()


def answer(host: Host) -> Any:
    assert host.stdout
    return json.loads(host.stdout.readline())


def rounds(log: KafkaLog, topic: str, hosts: list[Host], count: int) -> Counter[str]:
    """What became of the hosts' commits and rewinds in so many rounds, each of which begins on both at once."""
    group, source = f"extract-{uuid.uuid4().hex[:8]}", TopicPartition(topic, 0)
    log.append(topic, [Record(None, b"value") for _ in range(1000)])
    log.commit(group, {source: 0})
    became: Counter[str] = Counter()
    repeated = 0
    for _ in range(count):
        for number, host in enumerate(hosts):
            asked: dict[str, Any] = {"group": group, "topic": topic}
            asked |= {"rewind": random.randrange(100)} if number else {}
            tell(host, asked)
        for host in hosts:
            done = answer(host)
            became.update(each["did"] for each in done)
            repeated += sum(each.get("repeated", False) for each in done)
    check_history(log, group, repeated)
    return became


def check_history(log: KafkaLog, group: str, repeated: int) -> None:
    """Each change follows on the one before: takes stay where it stood, commits go on from there, moves say where to.

    So many commits had no answer and were asked again: each of them may stand there twice.
    """
    moves = GroupOffsets(log).moves(group)
    offset, generation = 0, 0
    for record in records_of(log, GROUPS_PARTITION):
        told = offset_of(record)
        if told is None or told[0] != group:
            continue
        now = told[2]
        if repeated and (now.offset, now.generation) == (offset, generation):
            repeated -= 1
            continue
        if now.generation in moves:
            expected = moves[now.generation]["moves"][0]["to"] if now.generation > generation else offset + STEP
        else:
            expected = offset if now.generation > generation else offset + STEP
        if (offset, generation) != (0, 0) or now.generation:
            assert now.generation >= generation
            assert now.offset == expected, f"{now} behind offset {offset} of generation {generation}"
        offset, generation = now.offset, now.generation


def check_counts(became: Counter[str], count: int) -> None:
    assert became["moved"] == count
    assert became["committed"] + became["told"] == 2 * count
    assert became["told"] > 0, "somebody was too late"
    assert became["committed"] > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_of_two_hosts_and_a_rewind_the_last_to_take_the_group_wins_and_the_other_is_told(
    kafka: KafkaLog, topic: str, hosts: list[Host], record_property: Callable[[str, object], None]
) -> None:
    became = rounds(kafka, topic, hosts, 12)
    record_property("count", f"Kafka, two hosts and a rewind of a group, 12 rounds: {dict(became)}")
    check_counts(became, 12)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_two_hundred_rounds_of_it_skip_no_offset(
    kafka: KafkaLog, topic: str, hosts: list[Host], record_property: Callable[[str, object], None]
) -> None:
    became = rounds(kafka, topic, hosts, 200)
    record_property("count", f"Kafka, two hosts and a rewind of a group, 200 rounds: {dict(became)}")
    check_counts(became, 200)


def whole_extracts(log: KafkaLog, topic: str, desks: list[Host], apart: Path, count: int) -> Counter[str]:
    """What became of the commands of so many rounds, which both hosts begin at once, by one group.

    The first extracts; the other one extracts, too, or rewinds the group, or extracts into tables of its own: as one
    whom no lease of tables keeps from it, so that the log alone decides.
    """
    extract = {"words": ["extract", "--topic", topic], "environ": {}, "after_s": 0}
    rewind = {**extract, "words": ["group", "rewind", "extract", topic, "--shift-by", f"-{MAILS}", "--execute"]}
    became: Counter[str] = Counter()
    for number in range(count):
        publish(log, topic, number)
        others = extract, {**rewind, "after_s": random.uniform(0, 10)}, {**extract, "environ": tables_in(apart)}
        for desk, asked in zip(desks, (extract, others[number % 3] if number else extract), strict=True):
            tell(desk, asked)
        for desk in desks:
            became[in_words(answer(desk))] += 1
    tell(desks[0], extract)
    assert in_words(answer(desks[0])) == "read all"
    return became


def publish(log: KafkaLog, topic: str, number: int) -> None:
    """The mails of a round."""
    numbers = range(number * MAILS, (number + 1) * MAILS)
    log.append(topic, [Record(b"desk@bank.example", mail(b"desk@bank.example", each)) for each in numbers])


def tables_in(folder: Path) -> dict[str, str]:
    return {"OTCLOG_TABLES_ROOT": str(folder)}


def in_words(done: dict[str, Any]) -> str:
    """What the command was told. One that ends otherwise fails the test."""
    for (code, said), told in TOLD.items():
        if code == done["code"] and said in done["said"]:
            return told
    pytest.fail(str(done))


def rows_in(folder: Path) -> dict[str, list[str]]:
    """The published rows of each table, as text."""
    store = store_of(replace(conf.defaults().tables, root=folder))
    published = latest(store)
    return {
        name: sorted(map(repr, table_of(store, published, name).to_pyarrow_dataset().to_table().to_pylist()))
        for name in ("quotes", "mails", "parts", "rejects")
    }


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_of_two_hosts_that_extract_one_wins_the_other_is_told_and_the_rows_are_those_of_an_undisturbed_run(
    kafka: KafkaLog, topic: str, desks: list[Host], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    apart, undisturbed = tmp_path / "apart", tmp_path / "undisturbed"
    became = whole_extracts(kafka, topic, desks, apart, 10)
    record_property("count", f"Kafka, two hosts with whole extracts, 10 rounds: {dict(became)}")
    assert kafka.committed("extract") == {TopicPartition(topic, 0): 10 * MAILS}
    environ = tables_in(undisturbed) | {"OTCLOG_EXTRACT_GROUP": "undisturbed"}
    tell(desks[0], {"words": ["extract", "--topic", topic], "environ": environ, "after_s": 0})
    assert in_words(answer(desks[0])) == "read all"
    ours, others, expected = rows_in(tmp_path / "tables"), rows_in(apart), rows_in(undisturbed)
    for name, rows in expected.items():
        assert len(ours[name]) == len(set(ours[name]))
        assert {*ours[name], *others[name]} == set(rows)
    assert len(expected["mails"]) == 10 * MAILS
