"""What to reparse: records as they are named, of whose mails every filter holds by the published tables."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from log.reading import has_topic, sources_of
from log.topic_rules import NAME
from log.types import TopicPartition
from parsers.taught import Taught
from parsers.version import parser_version, parsers_alone
from pipelines.errors import BadSelection, NothingToRead
from pipelines.readers.runs import ranges_in, run_of
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, intersected, merged, of_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from log.interface import CommitLog
    from pipelines.tables.store.interface import Store

_RANGE = re.compile(
    rf"(?P<topic>{NAME.pattern})(?::(?P<partition>\d{{1,9}})(?::(?P<start>\d{{1,18}})(?P<to>-(?P<stop>\d{{1,18}})?)?)?)?"
)

# A filter's condition on the rows of a table. Of a table that is not `mails` one row of the mail meets all of its
# filters: `asset_class` and `region` are those of one quote.
FILTERS = {
    "mails": {
        "message_id": "message_id = trim($message_id, '<> ')",  # as `explain` and mail programs show it, too
        "sha256": "message_key = lower($sha256)",
        "sender": "sender = lower($sender)",
        "dealer": "lower(dealer) = lower($dealer)",
        "subject": "contains(lower(subject), lower($subject))",
        "state": "state = $state",
        "parser_version": "parser_version = $parser_version",
        "stale": "NOT starts_with(parser_version, $stale)",
        "since_day": "received_day >= $since_day",
        "until_day": "received_day <= $until_day",
        "received_from": "received_ts >= $received_from",
        "received_to": "received_ts < $received_to",
    },
    "quotes": {
        "asset_class": "asset_class = $asset_class",
        "region": "region = $region",
        "quoted_from": "quote_ts >= $quoted_from",
        "quoted_to": "quote_ts < $quoted_to",
    },
    "parts": {
        "attachment_type": "CASE WHEN starts_with($attachment_type, '.') "
        "THEN ends_with(lower(file_name), lower($attachment_type)) "
        "ELSE lower(content_type) GLOB lower($attachment_type) END",
    },
    "rejects": {"code": "code = upper($code)"},
}
_POSITION = "topic, log_partition, log_offset"


@dataclass(frozen=True, slots=True)
class Selection:
    """Records: by names, by the run that read them, by what their mails are; each that is given narrows the others."""

    names: tuple[str, ...] = ()  # TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET, TOPIC:PARTITION:FROM-TO
    run: str | None = None
    filters: dict[str, Any] = field(default_factory=dict, hash=False)  # of FILTERS, by name; None: not given

    @property
    def is_given(self) -> bool:
        """Whether anything narrows it."""
        return bool(self.names or self.run or any(value is not None for value in self.filters.values()))

    def as_json(self) -> str:
        """Equal for equal selections."""
        given = {name: str(value) for name, value in self.filters.items() if value is not None}
        told = {"records": self.names, "run": self.run} | given
        return json.dumps({name: value for name, value in told.items() if value}, sort_keys=True)


def chosen(log: CommitLog, store: Store, selection: Selection) -> list[OffsetRange]:
    """The records. Raises BadSelection, NothingToRead, NothingPublished, TablesDamaged."""
    parts: list[list[OffsetRange]] = []
    if selection.names:
        parts.append(named_ranges(log, selection.names))
    if selection.run:
        parts.append(ranges_of_run(store, selection.run))
    if any(value is not None for value in selection.filters.values()):
        parts.append(looked_up(store, selection.filters))
    if not parts:
        raise BadSelection("choose records: by offsets, as mails:0:100-200, or by options such as --sender")
    first, *others = parts
    for other in others:
        first = intersected(first, other)
    return first


def named_ranges(log: CommitLog, names: Iterable[str]) -> list[OffsetRange]:
    """Records named TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET or TOPIC:PARTITION:FROM-TO.

    TO is the offset after the last, as the log's ends are written; without TO, all from FROM on. Raises BadSelection,
    NothingToRead.
    """
    return merged(each for name in names for each in _named(log, name))


def ranges_of_run(store: Store, run_id: str) -> list[OffsetRange]:
    """What a published run has read. Raises BadSelection where there is none of this id, NothingPublished."""
    found = run_of(store, run_id)
    if found is None:
        raise BadSelection(f"no published run is {run_id}; `otclog explain` and the table runs name them")
    return merged(ranges_in(found))


def looked_up(store: Store, filters: Mapping[str, Any]) -> list[OffsetRange]:
    """Records whose mails meet every filter (of FILTERS; None is not given), by the published tables.

    Raises NothingPublished.
    """
    filters = {name: value for name, value in filters.items() if value is not None}
    of_table = {
        table: [condition for name, condition in conditions.items() if name in filters]
        for table, conditions in FILTERS.items()
    }
    others = {table: conditions for table, conditions in of_table.items() if conditions and table != "mails"}
    where = [
        *of_table["mails"],
        *(
            f"({_POSITION}) IN (SELECT ({_POSITION}) FROM {table} WHERE {' AND '.join(conditions)})"
            for table, conditions in others.items()
        ),
    ]
    with published(store, "mails", *others) as tables:
        return of_rows(tables.hold("chosen_rows", f"SELECT {_POSITION} FROM mails", where, parameters=filters))


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


def kept(log: CommitLog, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
    """Of these records those that the log has. Raises NothingToRead for a topic or partition that it has not."""
    spans = {
        source: _span(log, source) for source in sorted({TopicPartition(each.topic, each.partition) for each in ranges})
    }
    return intersected(ranges, [OffsetRange(*source, span.start, span.stop) for source, span in spans.items() if span])


def require_kept(log: CommitLog, ranges: Sequence[OffsetRange]) -> None:
    """Raise NothingToRead, naming what remains, if the log does not have all of these records."""
    for each in ranges:
        span = _span(log, TopicPartition(each.topic, each.partition))
        if not span.start <= each.start < each.stop <= span.stop:
            there = kept(log, ranges)
            remain, all_of_them = sum(map(len, there)), sum(map(len, ranges))
            raise NothingToRead(
                f"{each}: of this partition the log has the offsets from {span.start} to {span.stop} (exclusive); "
                "earlier records were deleted, later ones are not written yet. "
                + (
                    f"Of the {all_of_them} records that are chosen {remain} remain: --allow-gap takes these, and "
                    "leaves the rows of the others as they are"
                    if remain
                    else "None of the records that are chosen remains"
                )
            )


def _named(log: CommitLog, name: str) -> list[OffsetRange]:
    match = _RANGE.fullmatch(name)
    if match is None:
        raise BadSelection(f"{name!r} names no records: write TOPIC, TOPIC:PARTITION or TOPIC:PARTITION:FROM-TO")
    topic, start = match["topic"], match["start"]
    if not has_topic(log, topic):
        raise NothingToRead(f"there is no topic {topic!r}; `otclog topic list` shows them")
    sources = [TopicPartition(topic, int(match["partition"]))] if match["partition"] else sources_of(log, topic)
    spans = {source: _span(log, source) for source in sources}
    if start is None:
        return [OffsetRange(*source, span.start, span.stop) for source, span in spans.items() if span]
    stop = int(match["stop"] or spans[sources[0]].stop) if match["to"] else int(start) + 1
    return [OffsetRange(*sources[0], int(start), stop)]


def _span(log: CommitLog, source: TopicPartition) -> range:
    if not has_topic(log, source.topic):
        raise NothingToRead(f"there is no topic {source.topic!r} any more; `otclog topic list` shows those there are")
    if source.partition >= log.partition_count(source.topic):
        raise NothingToRead(f"{source.topic} has no partition {source.partition}")
    return log.span(source)
