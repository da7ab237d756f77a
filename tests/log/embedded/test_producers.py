from __future__ import annotations

import json

from log import Record
from log.embedded import EmbeddedLog
from log.embedded.producers import MAX_EPOCH, PRODUCERS_TOPIC, register


def test_ids_are_never_given_twice_and_epochs_grow(embedded: EmbeddedLog) -> None:
    found = [register(embedded, name) for name in ("a", "b", "a", "c", "a")]
    assert [(each.id, each.epoch) for each in found] == [(0, 0), (1, 0), (0, 1), (3, 0), (0, 2)]


def test_after_the_last_epoch_comes_a_new_id(embedded: EmbeddedLog) -> None:
    register(embedded, "a")
    embedded.append(PRODUCERS_TOPIC, [Record(b"a", json.dumps({"id": 0, "epoch": MAX_EPOCH}).encode())])
    found = register(embedded, "a")
    assert (found.id, found.epoch) == (2, 0)
