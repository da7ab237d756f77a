from __future__ import annotations

import dataclasses
import shutil

import pytest

from conf.settings import LogSettings
from log import LogUnusable, TopicPartition
from log.disk.documents import read_document, write_document
from log.embedded.creation import create_partition
from log.embedded.home import Home
from log.embedded.opening import open_home
from log.embedded.replicas.state import PartitionState, load_state, save_state

SOURCE = TopicPartition("mails", 0)
TOPIC_ID = "the topic's"


@pytest.fixture
def home(options: LogSettings) -> Home:
    made = open_home(options)
    create_partition(made, SOURCE, 2, TOPIC_ID)
    return made


def test_a_new_partition_is_led_by_the_first_of_all_its_replicas(home: Home) -> None:
    state = load_state(home, SOURCE)
    assert state == PartitionState(
        home.log_id, state.version, 1, 0, (1, 2, 3), (1, 2, 3), epoch_start=0, topic_id=TOPIC_ID
    )


def test_a_state_is_in_the_root_and_in_every_replica(home: Home) -> None:
    state = dataclasses.replace(load_state(home, SOURCE), version=load_state(home, SOURCE).version + 1, isr=(1, 3))
    save_state(home, SOURCE, state)
    whole = home.state_file(SOURCE).read_bytes()
    assert [home.state_copy(SOURCE, number).read_bytes() for number in (1, 2, 3)] == [whole] * 3
    assert load_state(home, SOURCE) == state


def test_a_replica_that_cannot_be_reached_does_not_hinder(home: Home) -> None:
    shutil.rmtree(home.replicas[2])
    state = dataclasses.replace(load_state(home, SOURCE), version=load_state(home, SOURCE).version + 1, isr=(1, 3))
    save_state(home, SOURCE, state)
    assert load_state(home, SOURCE) == state


def test_a_newer_copy_holds_over_an_older_root(home: Home) -> None:
    old = home.state_file(SOURCE).read_bytes()
    state = dataclasses.replace(load_state(home, SOURCE), version=load_state(home, SOURCE).version + 1, isr=(1, 3))
    save_state(home, SOURCE, state)
    home.state_file(SOURCE).write_bytes(old)
    assert load_state(home, SOURCE) == state


def test_a_majority_of_the_copies_holds_without_the_root(home: Home) -> None:
    state = load_state(home, SOURCE)
    home.state_file(SOURCE).unlink()
    home.state_copy(SOURCE, 1).unlink()
    assert load_state(home, SOURCE) == state
    home.state_copy(SOURCE, 2).write_bytes(b"damaged")
    with pytest.raises(LogUnusable, match=r"mails-0: neither .* nor a majority"):
        load_state(home, SOURCE)


def test_a_state_of_a_later_version_is_said_to_be_one(home: Home) -> None:
    document = read_document(home.state_file(SOURCE))
    assert document is not None
    write_document(home.state_file(SOURCE), {**document, "version": document["version"] + 1, "witnesses": [4]})
    with pytest.raises(LogUnusable, match=r"witnesses.*use a newer otclog"):
        load_state(home, SOURCE)
