from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from conf.settings import KafkaSettings, LogSettings
from log import LogUnusable, Record, TopicPartition, is_there, open_log
from log.claims import CLAIM_HEADER, Claim, ClaimStore, announce, clean_claims, own_places, settle
from log.claims.places import FolderPlace
from log.kafka import KafkaLog


def test_a_cluster_is_there_whatever_this_machine_has(options: LogSettings) -> None:
    assert not is_there(options)
    there = KafkaSettings(bootstrap="127.0.0.1:1")
    assert is_there(replace(options, backend="kafka", claims=(options.root,), kafka=there))


@pytest.mark.slow
def test_the_settings_open_it_and_a_limit_below_a_mails_is_a_trouble(
    on_brokers: LogSettings, kafka: KafkaLog, topic: str
) -> None:
    assert not [each for each in kafka.troubles() if topic in each.detail and each.fails]
    opened = open_log(replace(on_brokers, inline_max_bytes=4 * 2**20))
    (trouble,) = [each for each in opened.troubles() if topic in each.detail and each.fails]
    assert (trouble.what, trouble.fails) == ("topic", True)
    opened.close()


@pytest.mark.slow
def test_a_place_for_claims_is_the_clusters_whatever_host_uses_it(kafka: KafkaLog, tmp_path: Path) -> None:
    place = FolderPlace(tmp_path / "claims")
    assert own_places(kafka, [place]) == [place]
    assert place.owner() == kafka.log_id
    other = FolderPlace(tmp_path / "others")
    other.own("another-cluster")
    with pytest.raises(LogUnusable, match=f"those of log another-cluster, this one is {kafka.log_id}"):
        own_places(kafka, [other])


@pytest.mark.slow
def test_claims_are_cleaned_by_what_the_brokers_keep(kafka: KafkaLog, topic: str, tmp_path: Path) -> None:
    store = ClaimStore([FolderPlace(tmp_path / "claims")], 1)
    own_places(kafka, store.places)
    claims = [Claim(hashlib.sha256(raw).hexdigest(), len(raw)) for raw in (b"old", b"new")]
    for claim, raw in zip(claims, (b"old", b"new"), strict=True):
        store.put(claim, partial(iter, (raw,)))
        announced = announce(kafka, [(claim, topic)])
        (at,) = kafka.append(topic, [Record(b"key", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))])
        settle(kafka, announced, {claim.sha256: at})
    assert clean_claims(kafka, store, -1.0).removed == 0
    kafka.delete_records(TopicPartition(topic, 0), 1)
    assert clean_claims(kafka, store, -1.0).removed == 1
    assert store.read(claims[1]) == b"new"
