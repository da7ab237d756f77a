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
from pipelines.readers.near import unknown
from pipelines.readers.runs import ranges_in, run_named
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, intersected, merged, of_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from log.interface import CommitLog
    from parsers.taught import TeachingFiles
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
        "attachment_type": "CASE WHEN regexp_matches($attachment_type, '[/*?]') "
        "THEN lower(content_type) GLOB lower($attachment_type) "
        "ELSE ends_with(lower(file_name), '.' || ltrim(lower($attachment_type), '.')) END",  # .xlsx, and xlsx too
    },
    "rejects": {"code": "code = upper($code)"},
}
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_BOUNDS = (
    ("received_from", "received_to", False),
    ("quoted_from", "quoted_to", False),
    ("since_day", "until_day", True),
)
_NEAR = ("dealer", "sender", "parser_version")  # of which near ones are told, columns of `mails`
_POSITION = "topic, log_partition, log_offset"


@dataclass(frozen=True, slots=True)
class Selection:
    """Records: by names, by the run that read them, by what their mails are; each that is given narrows the others."""

    names: tuple[str, ...] = ()  # TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET, TOPIC:PARTITION:FROM-TO
    run: str | None = None
    filters: dict[str, Any] = field(default_factory=dict, hash=False)  # of FILTERS, by name; None: not given

    @property
    def given(self) -> dict[str, Any]:
        """The filters that narrow it."""
        return {name: value for name, value in self.filters.items() if value is not None}

    @property
    def is_given(self) -> bool:
        """Whether anything narrows it."""
        return bool(self.names or self.given) or self.run is not None

    def is_by(self, name: str) -> bool:
        """Whether this filter narrows it, and nothing else does."""
        return not self.names and not self.run and self.given.keys() == {name}

    def as_json(self) -> str:
        """Equal for equal selections."""
        given = {name: str(value) for name, value in self.given.items()}
        told = {"records": self.names, "run": self.run} | given
        return json.dumps({name: value for name, value in told.items() if value}, sort_keys=True)


def chosen(log: CommitLog, store: Store, selection: Selection) -> list[OffsetRange]:
    """The records. Raises BadSelection, NothingToRead, NothingPublished, TablesDamaged."""
    _require_sensible({"run": selection.run, **selection.filters})
    parts: list[list[OffsetRange]] = []
    if selection.names:
        parts.append(named_ranges(log, selection.names))
    if selection.run:
        parts.append(ranges_of_run(store, selection.run))
    if selection.given:
        parts.append(looked_up(store, selection.filters))
    if not parts:
        raise BadSelection("choose records: by offsets, as mails:0:100-200, or by options such as --sender")
    first, *others = parts
    for other in others:
        first = intersected(first, other)
    return first


def none_chosen(store: Store, selection: Selection) -> BadSelection:
    """What to say where no record is chosen, with what is near a dealer, a sender or a version that no mail has."""
    told = unknown(store, "mails", "mail", _NEAR, selection.filters)
    return BadSelection("; ".join(["no record is chosen: none meets all that is given", *told]))


def _require_sensible(filters: Mapping[str, Any]) -> None:
    """Raise BadSelection for values that no mail can meet, and blank ones, which all may."""
    for name, value in filters.items():
        if isinstance(value, str) and not value.strip():
            raise BadSelection(f"{_option(name)} is blank: leave it out, or say what is meant")
    for start, stop, is_with_end in _BOUNDS:
        low, high = filters.get(start), filters.get(stop)
        if low is not None and high is not None and (low > high if is_with_end else low >= high):
            raise BadSelection(f"{_option(start)} {low} is not before {_option(stop)} {high}: no mail is between")
    sha256 = filters.get("sha256")
    if sha256 is not None and not _SHA256.fullmatch(sha256):
        raise BadSelection(f"--sha256 {sha256}: a SHA-256 has 64 hexadecimal digits")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def named_ranges(log: CommitLog, names: Iterable[str]) -> list[OffsetRange]:
    """Records named TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET or TOPIC:PARTITION:FROM-TO.

    TO is the offset after the last, as the log's ends are written; without TO, all from FROM on. Whole partitions are
    taken from their first record, though it be deleted. Raises BadSelection, NothingToRead.
    """
    return merged(each for name in names for each in _named(log, name))


def ranges_of_run(store: Store, run_id: str) -> list[OffsetRange]:
    """What a published run has read. Raises as `run_named`."""
    return merged(ranges_in(run_named(store, run_id)))


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


def present(files: TeachingFiles, *, code: bool) -> str:
    """How the parser version of mails begins that are not stale: all of it, or with `code` all but what users teach.

    Raises as `Taught.load`.
    """
    return f"{parsers_alone()}." if code else parser_version(Taught.load(files))


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
    return _within(ranges, _spans(log, ranges))


def require_kept(log: CommitLog, ranges: Sequence[OffsetRange]) -> None:
    """Raise NothingToRead, naming what remains, if the log does not have all of these records."""
    spans = _spans(log, ranges)
    for each in ranges:
        span = spans[TopicPartition(each.topic, each.partition)]
        if not span.start <= each.start < each.stop <= span.stop:
            remain, all_of_them = sum(map(len, _within(ranges, spans))), sum(map(len, ranges))
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


def _spans(log: CommitLog, ranges: Iterable[OffsetRange]) -> dict[TopicPartition, range]:
    """What the log has of their partitions, each asked for once: brokers answer in milliseconds."""
    return {source: _span(log, source) for source in sorted({TopicPartition(o.topic, o.partition) for o in ranges})}


def _within(ranges: Iterable[OffsetRange], spans: Mapping[TopicPartition, range]) -> list[OffsetRange]:
    return intersected(ranges, [OffsetRange(*source, span.start, span.stop) for source, span in spans.items() if span])


def _named(log: CommitLog, name: str) -> list[OffsetRange]:
    match = _RANGE.fullmatch(name)
    if match is None:
        raise BadSelection(f"{name!r} names no records: write TOPIC, TOPIC:PARTITION or TOPIC:PARTITION:FROM-TO")
    topic, start = match["topic"], match["start"]
    if not has_topic(log, topic):
        raise BadSelection(
            f"there is no topic {topic!r}; `otclog topic list` shows them"
            if match["partition"]
            else f"there is no topic, and no shadow, {topic!r}; `otclog topic list` and `otclog shadow list` show them"
        )
    sources = [TopicPartition(topic, int(match["partition"]))] if match["partition"] else sources_of(log, topic)
    spans = {source: _span(log, source) for source in sources}
    if start is None:
        return [OffsetRange(*source, 0, span.stop) for source, span in spans.items() if span.stop]
    end = spans[sources[0]].stop
    stop = int(match["stop"] or max(end, int(start) + 1)) if match["to"] else int(start) + 1
    found = OffsetRange(*sources[0], int(start), stop)
    if stop > end:
        raise BadSelection(f"{name}: {sources[0]} ends at {end}, no record is written from there on yet")
    return [found]


def _span(log: CommitLog, source: TopicPartition) -> range:
    if not has_topic(log, source.topic):
        raise NothingToRead(f"there is no topic {source.topic!r} any more; `otclog topic list` shows those there are")
    if source.partition >= log.partition_count(source.topic):
        raise NothingToRead(f"{source.topic} has no partition {source.partition}")
    return log.span(source)
