"""What a source gives: lines as records, and how it is told that the log has them; what every source is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from log.opslog import record_of
from log.types import Record
from ops.shipping.saying import said
from ops.shipping.times import Clock


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines that were taken together."""

    records: list[Record]
    keep: Callable[
        [], None
    ]  # the log has them: not to be taken again, durably. Raises LogError, and may be tried again


class Source(Protocol):
    """Whence lines come. One thread uses it."""

    @property
    def name(self) -> str:
        """As people know it."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will come any more."""

    def begin(self) -> None:
        """Note where it stands, before anything waits for the log: what becomes of it from now on is known.

        Raises LogError, and may be tried again.
        """

    def take(self) -> Batch | None:
        """What is there, as far as it makes one append; None: nothing now. Waits for nothing. Raises OSError, LogError.

        What it gave before was kept, or is given again.
        """

    def meanwhile(self) -> None:
        """The log cannot take what was taken last, and is tried again: see that nobody waits for that."""

    def close(self) -> None:
        """Let go of what is open."""


class Speaker(NamedTuple):
    """Whose lines are shipped."""

    host: str
    unit: str
    shipped: str  # by which way: file, journal, stdin; what otclog's own programs say of themselves has none


class Behind(NamedTuple):
    """What of a source's lines counts for those that come behind them."""

    key_lines: int = 0  # in how many a private key may go on (see `without_secrets`)
    said_at: datetime | None = None  # the time, in UTC, of the last line that has one of its own


def records_of(lines: Iterable[bytes], speaker: Speaker, behind: Behind) -> tuple[list[Record], Behind]:
    """Lines as records, which come behind others, and what counts behind them."""
    clock, key_lines, records = Clock(datetime.now(UTC), behind.said_at), behind.key_lines, []
    for line in lines:
        fields, at, key_lines = said(line, clock, speaker.host, key_lines)
        if at:
            clock = Clock(clock.arrived, at)
        fields["shipped"] = speaker.shipped
        records.append(record_of(fields, speaker.host, speaker.unit))
    return records, Behind(key_lines, clock.before)
