"""A host of a group's: run in a network namespace; a line of JSON in is something to do, one out what became of it."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from conf.settings import KafkaSettings
from log import LogError, TopicPartition
from log.errors import GroupFenced
from log.groups import take
from log.journal import move
from log.kafka import KafkaLog
from log.rewind import to_offset
from tests.namespaces import enter

STEP = 3  # records that are read between a take and its commit


def opened(root: str, bootstrap: str) -> KafkaLog:
    kafka = KafkaSettings(bootstrap=bootstrap)
    return KafkaLog(SimpleNamespace(root=Path(root), inline_max_bytes=786_432, kafka=kafka))


def read_and_commit(log: KafkaLog, group: str, source: TopicPartition) -> dict[str, Any]:
    """Take the partition, read a little, commit: done, or told that somebody else has it now."""
    taken = _again(lambda: take(log, group, {source: 0})).got[source]
    time.sleep(random.uniform(0, 0.3))
    try:
        done = _again(lambda: log.commit(group, {source: taken.offset + STEP}, generations={source: taken.generation}))
    except GroupFenced as error:
        return {"did": "told", "why": str(error)}
    return {"did": "committed", "repeated": done.repeated}


def rewind(log: KafkaLog, group: str, source: TopicPartition, to: int) -> dict[str, Any]:
    time.sleep(random.uniform(0, 0.5))
    _again(lambda: move(log, group, [source], to_offset(to)))
    return {"did": "moved"}


class Done(NamedTuple):
    """What was got, and whether what had no answer was asked again: the first may have been done as well."""

    got: Any
    repeated: bool


def _again(do: Callable[[], Any]) -> Done:
    repeated = False
    while True:
        try:
            return Done(do(), repeated)
        except LogError as error:
            if not error.retriable:
                raise
            repeated = True


def main(channel: str, bootstrap: str, root: str) -> None:
    enter(int(channel), int(bootstrap.rpartition(":")[2]))
    logs = [opened(root, bootstrap) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        for line in sys.stdin:
            asked = json.loads(line)
            group, source = asked["group"], TopicPartition(asked["topic"], 0)
            begun = [pool.submit(read_and_commit, logs[0], group, source)]
            if "rewind" in asked:
                begun.append(pool.submit(rewind, logs[1], group, source, asked["rewind"]))
            sys.stdout.write(json.dumps([each.result() for each in begun]) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
