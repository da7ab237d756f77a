"""What it means that mails wait: Burrow's states, computed from the log's end and its append times.

    OK        nothing waits, or nothing longer than it may: so is a group whose job is not due, or has nothing to read
    WARN      mails wait too long, and the group reads on: it is late
    STALLED   they do, and it stands still though somebody reads the partition, or commits the same again
    STOPPED   they do, and it stands still, and nobody reads
    REWIND    it reads again what it had read. Where the journal says who wanted that, what it reads again waits since
              then, and it is late for nothing until it has caught up with what came meanwhile, as long as it gets on;
              where not, that is told

Burrow (github.com/linkedin/Burrow) judges by the commits of the last minutes, and so takes a job that runs by a
schedule, or has nothing to read, for dead (its issues #303, #140), and one that stopped when it had read all for well
(#290, #745). Here the last commit says only whether the group stands still: whether anything is wrong is asked of what
waits.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from log.times import rfc3339, timestamp_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.journal import Entry
    from log.lag.behind import Lag
    from log.rewind import Move


class State(StrEnum):
    """See above."""

    OK = "OK"
    WARN = "WARN"
    STALLED = "STALLED"
    STOPPED = "STOPPED"
    REWIND = "REWIND"


class Seen(NamedTuple):
    """What the history knows of a group in a partition."""

    furthest: int = 0  # where it stood at most, since its journal says that it was moved
    furthest_at_ms: int = 0  # when that was seen first
    stands_since_ms: int | None = None  # when the offset where it stands was committed, the first time; None: not seen
    waits_since_ms: int | None = None  # when it was seen there first with something to read; None: not seen
    catches_up_to: int = 0  # where the log ended when it was last seen to read again what it had read


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a group in a partition beside how far it is behind."""

    now_ms: int
    patience_s: float  # how long a mail may wait for it
    pause_s: float  # how long it may stand still, by its schedule
    committed_at_ms: int | None  # None: it has not begun
    is_read: bool  # whether a living member of the group has the partition; or the topic, where it has not begun
    moves: Sequence[Entry]  # of the journal, those that moved it here, the oldest first
    seen: Seen


@dataclass(frozen=True, slots=True)
class Judged:
    """How far a group is behind in a partition, and what that means."""

    lag: Lag
    at_ms: int  # when it was looked at
    state: State
    age_s: float | None  # how long the oldest unread mail has been in the log; None: none waits
    alarms: bool  # whether somebody is to be told
    why: str  # in words; "" where nothing is to be said

    def row(self) -> dict[str, Any]:
        """As a JSON object."""
        told = {"state": str(self.state), "age_s": self.age_s, "why": self.why}
        return {"at": rfc3339(self.at_ms), **asdict(self.lag), **told}


Verdict = tuple[State, bool, str]
"""State, whether it alarms, and why."""

_WELL: Verdict = (State.OK, False, "")


def judge(lag: Lag, facts: Facts) -> Judged:
    """The state of a group in a partition."""
    oldest_ms = timestamp_ms(lag.oldest_unread) if lag.oldest_unread else None
    if oldest_ms is None:  # nothing waits, or nothing of it can be read, which is told apart
        state, alarms, why = _WELL
        return Judged(lag, facts.now_ms, state, None, alarms, why)
    # append times never fall: behind a mail that came while a clock was ahead, all look as young as that one
    waits_ms = oldest_ms if facts.seen.waits_since_ms is None else min(oldest_ms, facts.seen.waits_since_ms)
    state, alarms, why = (
        _set_back(lag, facts.seen) or _rereading(lag, facts, oldest_ms) or _waiting(lag, facts, waits_ms)
    )
    return Judged(lag, facts.now_ms, state, _age_s(facts, waits_ms), alarms, why)


def _set_back(lag: Lag, seen: Seen) -> Verdict | None:
    """Where it stands before a place where it stood, and its journal does not say why."""
    stands = lag.committed or 0
    if seen.furthest <= stands:
        return None
    stood = f"stood at offset {seen.furthest} at {rfc3339(seen.furthest_at_ms)}"
    return State.REWIND, True, f"{stood}, and stands at {stands}: its journal has no such move"


def _rereading(lag: Lag, facts: Facts, oldest_ms: int) -> Verdict | None:
    """Where it was moved, and what it reads next it had read already."""
    back = moved_back(lag, facts.moves)
    # of a topic that was made anew all records are younger than a move in the one before
    if back is None or oldest_ms > back.entry.moved_at_ms:
        return None
    if back.had_read is not None and (lag.committed or 0) >= back.had_read:
        return None
    if _age_s(facts, back.entry.moved_at_ms) > facts.patience_s and not _gets_on(facts):
        return _standing_still(facts)
    what = "what came before it began" if back.had_read is None else "again what it had read"
    return State.REWIND, False, f"reads {what}: moved at {rfc3339(back.entry.moved_at_ms)} by {back.entry.by}"


class Back(NamedTuple):
    """A move of a group in a partition to what it is to read again, or to where it was to begin."""

    entry: Entry
    had_read: int | None  # up to where it had read before any move; None: it had not begun


def moved_back(lag: Lag, moves: Sequence[Entry]) -> Back | None:
    """The last such move."""
    of_here = [(entry, one) for entry in moves for one in entry.moves if _is_of(one, lag)]
    had_read = max((one.committed for _, one in of_here if one.committed is not None), default=None)
    last = next((entry for entry, one in reversed(of_here) if one.replays or one.committed is None), None)
    return None if last is None else Back(last, had_read)


def _is_of(one: Move, lag: Lag) -> bool:
    return (one.topic, one.partition) == (lag.topic, lag.partition)


def _waiting(lag: Lag, facts: Facts, waits_ms: int) -> Verdict:
    """Of mails that it has not read before."""
    if _age_s(facts, waits_ms) <= facts.patience_s:
        return _WELL
    if not _gets_on(facts):
        return _standing_still(facts)
    if (lag.committed or 0) < facts.seen.catches_up_to:
        return State.REWIND, False, "has read again what it was to, and catches up"
    return State.WARN, True, "it reads on"


def _standing_still(facts: Facts) -> Verdict:
    if facts.committed_at_ms is None:
        if facts.is_read:
            return State.STALLED, True, "it has not begun, though a member of it reads the topic"
        return State.STOPPED, True, "it has not begun"
    stands_ms = _stands_since_ms(facts)
    stands = f"it stands where it is since {rfc3339(stands_ms)}"
    if facts.is_read:
        return State.STALLED, True, f"{stands}, though a member of it has the partition"
    if facts.committed_at_ms > stands_ms and _age_s(facts, facts.committed_at_ms) <= facts.pause_s:
        return State.STALLED, True, f"{stands}, and commits that again"
    return State.STOPPED, True, f"{stands}, and nobody reads"


def _stands_since_ms(facts: Facts) -> int:
    """When the offset where it stands was committed for the first time, as far as is known."""
    committed_at_ms = facts.committed_at_ms or 0
    return committed_at_ms if facts.seen.stands_since_ms is None else min(committed_at_ms, facts.seen.stands_since_ms)


def _gets_on(facts: Facts) -> bool:
    """Whether it has come to where it stands lately enough."""
    return _age_s(facts, _stands_since_ms(facts)) <= facts.pause_s


def _age_s(facts: Facts, then_ms: int) -> float:
    return max(facts.now_ms - then_ms, 0) / 1000
