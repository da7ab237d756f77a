from __future__ import annotations

from dataclasses import replace

import pytest

from conf.settings import KafkaSettings, LogSettings
from log import is_there, open_log
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
