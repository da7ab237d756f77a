"""Whose a place is: what one log's records do not name, another log's may, so no log cleans or uses another's place.

A place in a replica is that replica's log's. Any other is marked by the first log that uses it (`owner.json`). One that
holds claims and no mark is of an earlier version: it is the log's that names one of them. An empty one beside records
that name claims may be the folder that a disk is mounted on: it is marked only if another place is the log's already.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from log.claims.index import named_now
from log.claims.named import claims_in
from log.claims.places import FORMAT, OWNER
from log.disk.documents import seal
from log.errors import ClaimUnavailable, LogUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from log.claims.places import ClaimPlace
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


def own_places(log: CommitLog, places: Iterable[ClaimPlace]) -> list[ClaimPlace]:
    """The places that can be reached, each this log's from now on.

    Raises LogUnusable where one is another log's, ClaimUnavailable where all are as of disks that are not mounted,
    LogError.
    """
    ours: list[ClaimPlace] = []
    unmarked: list[ClaimPlace] = []
    for place in places:
        if owner := _unless_away(place, place.owner):
            _require_own(log, place, owner)
            ours.append(place)
        elif owner is None:
            unmarked.append(place)
    for place in unmarked:
        owner = _unless_away(place, partial(_adopt, log, place, is_first=not ours))
        if owner:
            _require_own(log, place, owner)
            ours.append(place)
    return ours


def _unless_away(place: ClaimPlace, ask: Callable[[], str | None]) -> str | None:
    """What is said of the place; "" where that cannot be reached."""
    try:
        return ask()
    except OSError as error:
        logger.info("claim store %s: %s", place, error)
        return ""


def _require_own(log: CommitLog, place: ClaimPlace, owner: str) -> None:
    if owner != log.log_id:
        raise LogUnusable(
            f"{place}: the claims there are those of log {owner}, this one is {log.log_id}: "
            "give each log places of its own ([log] claims)"
        )


def _adopt(log: CommitLog, place: ClaimPlace, *, is_first: bool) -> str:
    """Whose a place is that has no mark; `is_first`: no other place that can be reached is this log's already."""
    held = {each.name for each in place.kept()}
    if held and not any(claim.sha256 in held for claim in claims_in(log)):
        raise LogUnusable(
            f"{place}: holds claims, and no record of this log names one of them: they may be another log's; "
            "name another place ([log] claims), or move them away"
        )
    if is_first and not held and named_now(log).claims:  # to mark it would be to say that those claims are gone
        mark = " ".join(seal({"format": FORMAT, "log_id": log.log_id}).decode().split())
        raise ClaimUnavailable(
            f"{place}: is empty, though records of this log name claims: is its disk mounted? If they are lost, say so "
            f"by a file {OWNER} there: {mark}"
        )
    return place.own(log.log_id)
