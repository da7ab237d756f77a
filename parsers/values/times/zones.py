"""Time zones as the pinned package has them: not the machine's, whose offsets of a zone may be of another year."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import tzdata

_PACKAGE = Path(tzdata.__file__).parent


@cache
def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name. Raises KeyError: there is none of it."""
    if not is_zone(name):
        raise KeyError(name)
    with (_PACKAGE / "zoneinfo" / name).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


def is_zone(name: str) -> bool:
    """Whether it is the IANA name of a zone, as Europe/London."""
    return name in _names()


@cache
def _names() -> frozenset[str]:
    return frozenset((_PACKAGE / "zones").read_text("ascii").split())
