"""What an appender does when the last one died, or the machine did, or files are not as they were left.

Every in-sync replica is checked (recovery.py). The one that reaches furthest is whole by its CRCs; the others are cut
where they stop being whole, and get the rest of the bytes from it. So whatever one in-sync replica still has is kept,
and all are equal before anything is appended. A replica that is damaged, or ends before the high watermark, leaves the
ISR: it was once said to have those records. So does one that begins later than another. Done twice, this does nothing
the second time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from log.disk.files import NOT_THE_DISK
from log.embedded.replicas.recovery import CopyEnd, level, look
from log.embedded.replicas.watermark import Watermark
from log.errors import CorruptRecord, LogError, NotEnoughReplicas

if TYPE_CHECKING:
    from log.embedded.replicas.replicas import InSyncReplicas
    from log.types import TopicPartition


def recover(replicas: InSyncReplicas, mark: Watermark | None, boot: bytes) -> Watermark:
    """Level the in-sync replicas and open them; where they stand now, all of it flushed.

    The high watermark is the one that was known: the caller moves it if enough replicas are left. After a power cut
    that may lag behind what was acknowledged; then it is what every replica that can be used has.
    Raises CorruptRecord or NotEnoughReplicas when none of them can be used.
    """
    replicas.close()
    replicas.load_state(mark)
    if mark is not None and mark.high_watermark < replicas.state.start:
        mark = None  # it is from before records were deleted: the root was put back
    standings, reasons = _look(replicas, mark)
    if standings:
        ahead = max(standings, key=lambda number: (standings[number].end, standings[number].base))
        goal = standings[ahead]
        for number in list(standings):
            try:
                level(replicas.folder(number), standings[number], replicas.folder(ahead), goal)
            except OSError as error:
                _of_the_disk(error)
                reasons[number] = error
                del standings[number]
    if not standings:
        raise _unusable(replicas.source, reasons)
    replicas.open(standings, goal.base)
    if reasons:
        replicas.drop(reasons, goal.end)
    elif mark is None:
        replicas.restore_state()
    replicas.begin_epoch_by(goal.end)
    return Watermark(
        boot,
        replicas.state.version,
        mark.high_watermark if mark and mark.boot == boot else min(standing.end for standing in standings.values()),
        goal.end,
        goal.base,
        goal.position,
        goal.segment_started_ms,
        max(goal.last_timestamp_ms, mark.last_timestamp_ms if mark else 0),
        mark.changes if mark else 1,
        mark.cuts + (goal.end < mark.end) if mark else time.time_ns(),
    )


def _look(replicas: InSyncReplicas, mark: Watermark | None) -> tuple[dict[int, CopyEnd], dict[int, Exception | None]]:
    """Where each in-sync replica stands, and what is wrong with those that cannot be used."""
    standings: dict[int, CopyEnd] = {}
    reasons: dict[int, Exception | None] = {}
    for number in replicas.state.isr:
        try:
            replicas.check_place(number)
            standing = look(replicas.folder(number), mark.high_watermark if mark else None, replicas.state.fence)
        except OSError as error:
            _of_the_disk(error)
            reasons[number] = error
            continue
        if standing.damaged:
            where = f"{replicas.folder(number)}, segment {standing.base}, position {standing.position}"
            reasons[number] = CorruptRecord(replicas.source, standing.end, where)
        else:
            standings[number] = standing
    begin = {number: max(standing.oldest, replicas.state.start) for number, standing in standings.items()}
    start = min(begin.values(), default=0)
    for number in [number for number, offset in begin.items() if offset > start]:
        where = f"{replicas.folder(number)}: offsets {start} to {begin[number] - 1} are missing"
        reasons[number] = CorruptRecord(replicas.source, start, where)
        del standings[number]
    return standings, reasons


def _of_the_disk(error: OSError) -> None:
    if error.errno in NOT_THE_DISK:
        raise error


def _unusable(source: TopicPartition, reasons: dict[int, Exception | None]) -> LogError:
    """Why no in-sync replica can be used: damage before absence."""
    damage = next((reason for reason in reasons.values() if isinstance(reason, LogError)), None)
    said = "; ".join(str(reason) for reason in reasons.values())
    return damage or NotEnoughReplicas(f"{source}: no in-sync replica can be opened ({said})")
