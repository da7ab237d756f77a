"""ops.analysis: a topic on a broker, by a group of the broker's."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

import conf
from log import TopicPartition, open_log
from log.journal import move
from log.opslog import TOPIC, ensure_topic, record_of
from log.rewind import to_earliest
from ops.analysis.analyse import analyse
from ops.analysis.place import GROUP, store_of_events
from ops.searching.searching import Asked, lines
from tests.brokers import addresses, emptied


@pytest.mark.slow
def test_each_line_on_a_broker_is_a_row_once_after_a_rewind_too(brokers: Path, tmp_path: Path) -> None:
    emptied(brokers)
    file = tmp_path / "otclog.toml"
    file.write_text(f'[log]\nbackend = "kafka"\nclaims = ["claims"]\n[log.kafka]\nbootstrap = "{addresses(brokers)}"\n')
    settings = conf.load(file, {})
    with closing(open_log(settings.log)) as log:
        ensure_topic(log)
        for first in (0, 3000):
            said = [record_of({"event": f"line {number}"}, "h", "u") for number in range(first, first + 3000)]
            log.append(TOPIC, said)
            assert analyse(settings, log).lines == 3000
            assert analyse(settings, log).lines == 0
        move(log, GROUP, [TopicPartition(TOPIC, 0)], to_earliest, reason="to read again")
        assert analyse(settings, log).lines == 6000
    found = lines(store_of_events(settings.tables), Asked())
    assert [row["event"] for row in found] == [f"line {number}" for number in range(6000)]
