"""What a new entry of the dealer table would make of the dealer's mails of late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parsers.scoring.pairing import ROW_FIELDS
from pipelines.errors import NothingPublished
from pipelines.jobs.reparsing.changes import differing
from pipelines.readers.selection import Selection, kept, looked_up
from pipelines.tables.published import published
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from datetime import datetime

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.tables.ranges import OffsetRange
    from pipelines.tables.store.interface import Store

_SAID = frozenset({*ROW_FIELDS, "status", "instrument_id"})


def mails_of(settings: Settings, log: CommitLog, dealer: str, since: datetime) -> tuple[list[OffsetRange], str]:
    """The dealer's mails that were read since then, as far as the log has them; and how they are chosen, as JSON."""
    filters = {"dealer": dealer, "received_from": since}
    try:
        found = looked_up(store_of(settings.tables), filters)
    except NothingPublished:
        found = []
    return (kept(log, found) if found else []), Selection(filters=filters).as_json()


def worsened(store: Store, shadow: Shadow, message_key: str) -> list[dict[str, Any]]:
    """Accepted quotes of other mails than this one that would be gone, or say something else than they did.

    What was not said before may be said. Raises TablesDamaged.
    """
    own = {
        (each.topic, each.partition, at)
        for each in looked_up(store, {"sha256": message_key})
        for at in range(each.start, each.stop)
    }
    rows = [
        row
        for row in differing(store, shadow)
        if _is_other(row) and (row["topic"], row["log_partition"], row["log_offset"]) not in own
    ]
    if not rows:
        return []
    names = [row["record_id"] for row in rows]
    where = ("list_contains($names, record_id)", "status = 'accepted'")
    with published(store, "quotes") as tables:
        found = tables.hold("were_accepted", "SELECT record_id FROM quotes", where, parameters={"names": names})
    accepted = set(found["record_id"].to_pylist())
    return [row for row in rows if row["record_id"] in accepted]


def _is_other(row: dict[str, Any]) -> bool:
    """Whether a quote that was there is gone, or something that it said is not said any more."""
    is_said = any(each["before"] is not None and each["name"] in _SAID for each in row["fields"])
    return row["table"] == "quotes" and (row["kind"] == "lost" or (row["kind"] == "changed" and is_said))
