"""A look at groups: of each partition what log, journal, members and history say, judged and noted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from log.errors import GroupUnreadable
from log.groups import of_each
from log.journal import journal
from log.lag.behind import lag_at, not_begun
from log.lag.history import Query, Sighting
from log.lag.judging import Facts, judge, moved_back
from log.reading import topic_id_now
from log.times import now_ms
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from log.interface import CommitLog
    from log.journal import Entry
    from log.lag.behind import Lag
    from log.lag.history import History, Key
    from log.lag.judging import Judged
    from log.types import GroupOffset


class Found(NamedTuple):
    """What a look found."""

    judged: list[Judged]  # one a partition of each group
    unreadable: dict[str, str]  # why there is nothing of some groups


@dataclass(frozen=True, slots=True)
class LagMonitor:
    """Who looks at a log's groups."""

    log: CommitLog
    extract: str  # the extraction's group: what nobody has begun of `topics`, where mails go, waits for it
    topics: Collection[str]
    patience_s: Callable[[str], float]  # how long a mail may wait for a group, by its schedule
    history: History  # what is seen is left there, as judged by that
    alert_after_s: float | None = None  # how long it may wait for any group, where somebody says so for this look

    def look(self, group: str | None = None) -> Found:
        """At a group, or at all of them. Raises GroupUnreadable for the one that was named."""
        before_ms = now_ms()
        self.history.begin_look()
        waiting = not_begun(self.log, self.extract, self.topics) if group in {None, self.extract} else []
        seen = self._judged(self.extract, waiting, {}, before_ms)
        ask = partial(self._of, before_ms=before_ms)
        begun, unreadable = ({group: ask(group)}, {}) if group else of_each(self.log.groups(), ask)
        seen += chain(*begun.values())
        self.history.note([sighting for _, sighting in seen if sighting.topic_id])
        return Found([judged for judged, _ in seen], unreadable)

    def _of(self, group: str, before_ms: int) -> list[tuple[Judged, Sighting]]:
        latest = self.log.standing().latest(group)
        rows = lag_at(self.log, group, {source: each.offset for source, each in latest.items()})
        return self._judged(group, rows, latest, before_ms)

    def _judged(
        self, group: str, rows: Sequence[Lag], latest: Mapping[TopicPartition, GroupOffset], before_ms: int
    ) -> list[tuple[Judged, Sighting]]:
        if not rows:
            return []
        members = self.log.members(group)
        read = {source for member in members for source in member.reads}
        joined = {topic for member in members for topic in member.topics}  # of what nobody committed, no more is known
        entries = _moves(self.log, group)
        ids = {topic: topic_id_now(self.log, topic) or "" for topic in {row.topic for row in rows}}
        sources = [TopicPartition(row.topic, row.partition) for row in rows]
        moves = {source: [entry for entry in entries if _moved(entry, source)] for source in sources}
        asked = [
            _query((group, ids[row.topic], row.partition), row, moves[source], before_ms)
            for row, source in zip(rows, sources, strict=True)
        ]
        usual_s, found = self.patience_s(group), []
        for row, source, question, seen in zip(rows, sources, asked, self.history.seen(asked), strict=True):
            at = latest.get(source)
            committed_at_ms = at.committed_at_ms if at else None
            is_read = source in read or (at is None and source.topic in joined)
            facts = Facts(now_ms(), usual_s, usual_s, committed_at_ms, is_read, moves[source], seen)
            usual = judge(row, facts)
            judged = usual if self.alert_after_s is None else judge(row, replace(facts, patience_s=self.alert_after_s))
            found.append((judged, _sighting(question.key, usual, at)))
        return found


def _moves(log: CommitLog, group: str) -> list[Entry]:
    try:
        return journal(log, group)
    except GroupUnreadable:  # one of a later otclog: who asks for the journal is told
        return []


def _moved(entry: Entry, source: TopicPartition) -> bool:
    return any((one.topic, one.partition) == source for one in entry.moves)


def _query(key: Key, row: Lag, moves: Sequence[Entry], before_ms: int) -> Query:
    generation = max((entry.generation for entry in moves), default=0)
    moved_at_ms = max((entry.moved_at_ms for entry in moves), default=0)
    asked = Query(key, before_ms, row.committed, generation, moved_at_ms)
    back = moved_back(row, moves)
    if back is None or back.had_read is None:
        return asked
    return asked._replace(had_read=back.had_read, back_at_ms=back.entry.moved_at_ms)


def _sighting(key: Key, judged: Judged, at: GroupOffset | None) -> Sighting:
    row = judged.lag
    return Sighting(
        *key,
        judged.at_ms,
        row.topic,
        row.committed,
        row.end,
        row.lag,
        row.bytes,
        judged.age_s,
        str(judged.state),
        at.committed_at_ms if at else None,
        at.generation if at else 0,
    )
