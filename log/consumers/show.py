"""Groups as rows for people and programs: what `otclog group` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from log.lag import lag
from log.times import rfc3339
from log.types import TopicPartition

if TYPE_CHECKING:
    from log.interface import CommitLog


def group_row(log: CommitLog, group: str) -> dict[str, Any]:
    """Group, state (running, idle), members, partitions, lag, generation, committed_at (the latest commit)."""
    offsets = log.standing()
    latest = offsets.latest(group)
    members = len(log.members(group))
    return {
        "group": group,
        "state": "running" if members else "idle",
        "members": members,
        "partitions": len(latest),
        "lag": sum(each.lag for each in lag(log, group)),
        "generation": offsets.generation(group),
        "committed_at": rfc3339(max((one.committed_at_ms for one in latest.values()), default=0)) if latest else None,
    }


def offset_rows(log: CommitLog, group: str) -> list[dict[str, Any]]:
    """A row a partition that the group committed: committed, end, lag, member and host that read it, and the commit."""
    latest = log.standing().latest(group)
    members = {source: member for member in log.members(group) for source in member.reads}
    rows = []
    for each in lag(log, group):
        source = TopicPartition(each.topic, each.partition)
        member, one = members.get(source), latest.get(source)
        if one is None:  # a partition of such a topic that it has still to begin
            continue
        rows.append(
            {
                "group": group,
                "topic": each.topic,
                "partition": each.partition,
                "committed": one.offset,
                "end": each.end,
                "lag": each.lag,
                "member": member.id if member else None,
                "host": member.host if member else None,
                "committed_at": rfc3339(one.committed_at_ms),
                "metadata": one.metadata,
                "generation": one.generation,
            }
        )
    return rows
