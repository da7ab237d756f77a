"""Whose a place is: what one log's records do not name, another log's may, so no log cleans or uses another's place.

A place in a replica is that replica's log's. Any other is marked by the first log that uses it (`owner.json`). One that
holds claims and no mark is of an earlier version: it is the log's that names one of them.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from log.claims.named import claims_in
from log.errors import LogUnusable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from log.claims.places import ClaimPlace
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


def own_places(log: CommitLog, places: Iterable[ClaimPlace]) -> list[ClaimPlace]:
    """The places that can be reached, each this log's from now on.

    Raises LogUnusable where one is another log's, LogError.
    """
    ours = []
    for place in places:
        try:
            owner = place.owner() or _adopt(log, place)
        except OSError as error:
            logger.info("claim store %s: %s", place, error)
            continue
        if owner != log.log_id:
            raise LogUnusable(
                f"{place}: the claims there are those of log {owner}, this one is {log.log_id}: "
                "give each log places of its own ([log] claims)"
            )
        ours.append(place)
    return ours


def _adopt(log: CommitLog, place: ClaimPlace) -> str:
    held = {each.name for each in place.kept()}
    if held and not any(claim.sha256 in held for claim in claims_in(log)):
        raise LogUnusable(
            f"{place}: holds claims, and no record of this log names one of them: they may be another log's; "
            "name another place ([log] claims), or move them away"
        )
    return place.own(log.log_id)
