"""What to reparse: offsets as they are named, or mails as the table `mails` knows them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from log.reading import has_topic
from log.types import TopicPartition
from parsers.taught import Taught
from parsers.version import parser_version, parsers_alone
from pipelines.errors import BadSelection, NothingToRead
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from log.interface import CommitLog
    from pipelines.tables.store.interface import Store

_RANGE = re.compile(
    r"(?P<topic>[A-Za-z0-9._-]+)(?::(?P<partition>\d{1,9})(?::(?P<start>\d{1,18})(?P<to>-(?P<stop>\d{1,18})?)?)?)?"
)

MAIL_FILTERS = {
    "message_id": "message_id = trim($message_id, '<> ')",  # as `explain` and mail programs show it, too
    "sender": "sender = lower($sender)",
    "dealer": "lower(dealer) = lower($dealer)",
    "subject": "contains(lower(subject), lower($subject))",
    "code": "(topic, log_partition, log_offset) IN "
    "(SELECT (topic, log_partition, log_offset) FROM rejects WHERE rejects.code = upper($code))",
    "parser_version": "parser_version = $parser_version",
    "stale": "NOT starts_with(parser_version, $stale)",
    "since_day": "received_day >= $since_day",
    "until_day": "received_day <= $until_day",
}


def named_ranges(log: CommitLog, names: Iterable[str]) -> list[OffsetRange]:
    """Records named TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET or TOPIC:PARTITION:FROM-TO.

    TO is the offset after the last, as the log's ends are written; without TO, all from FROM on. Raises BadSelection,
    NothingToRead.
    """
    return merged(each for name in names for each in _named(log, name))


def looked_up(store: Store, filters: Mapping[str, Any]) -> list[OffsetRange]:
    """Records whose mails meet every filter (of MAIL_FILTERS), by the published tables. Raises NothingPublished."""
    chosen = {name: value for name, value in filters.items() if value is not None}
    with published(store, "mails", "rejects") as tables:
        rows = tables.rows(
            "SELECT topic, log_partition, log_offset FROM mails",
            [MAIL_FILTERS[name] for name in chosen],
            "topic, log_partition, log_offset",
            chosen,
        )
        return merged(
            OffsetRange(row["topic"], row["log_partition"], row["log_offset"], row["log_offset"] + 1) for row in rows
        )


def present(dealers: Path | None, *, code: bool) -> str:
    """How the parser version of mails begins that are not stale: all of it, or with `code` all but what users teach.

    Raises DealerTableError, OSError.
    """
    return f"{parsers_alone()}." if code else parser_version(Taught.load(dealers))


def one_of(option: str, value: str | None, known: Iterable[str]) -> str | None:
    """The value of a filter over a closed list, in whatever case it was typed. Raises BadSelection."""
    by_name = {name.lower(): str(name) for name in known}
    if value is None or value.lower() in by_name:
        return value and by_name[value.lower()]
    near = get_close_matches(value.lower(), by_name, n=3)
    named = (
        f"did you mean {' or '.join(by_name[name] for name in near)}?"
        if near
        else f"it is one of {', '.join(sorted(by_name.values()))}"
    )
    raise BadSelection(f"{option} {value}: there is no such value; {named}")


def require_kept(log: CommitLog, ranges: Sequence[OffsetRange]) -> None:
    """Raise NothingToRead, naming the first offset there is, if the log does not have all of these records."""
    for each in ranges:
        span = _span(log, TopicPartition(each.topic, each.partition))
        if not span.start <= each.start < each.stop <= span.stop:
            raise NothingToRead(
                f"{each}: of this partition the log has the offsets from {span.start} to {span.stop} (exclusive); "
                "earlier records were deleted, later ones are not written yet"
            )


def _named(log: CommitLog, name: str) -> list[OffsetRange]:
    match = _RANGE.fullmatch(name)
    if match is None:
        raise BadSelection(f"{name!r} names no records: write TOPIC, TOPIC:PARTITION or TOPIC:PARTITION:FROM-TO")
    topic, start = match["topic"], match["start"]
    if not has_topic(log, topic):
        raise NothingToRead(f"there is no topic {topic!r}; `otclog topic list` shows them")
    partitions = [int(match["partition"])] if match["partition"] else [info.partition for info in log.describe(topic)]
    spans = {partition: _span(log, TopicPartition(topic, partition)) for partition in partitions}
    if start is None:
        return [OffsetRange(topic, partition, span.start, span.stop) for partition, span in spans.items() if span]
    stop = int(match["stop"] or spans[partitions[0]].stop) if match["to"] else int(start) + 1
    return [OffsetRange(topic, partitions[0], int(start), stop)]


def _span(log: CommitLog, source: TopicPartition) -> range:
    if source.partition >= len(log.describe(source.topic)):
        raise NothingToRead(f"{source.topic} has no partition {source.partition}")
    return log.span(source)
