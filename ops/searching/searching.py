"""Finds lines among those that were analysed, without a JVM.

A mail is told by two numbers of each row, its hashes: they alone are read of all rows, and of the few files and row
groups that have any of the mail's lines then the rest, which is most of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from log.opslog import TOPIC
from ops.analysis.place import ID_CHARACTERS, NAME, hash_of
from ops.analysis.reading import analysed
from pipelines.tables.datafiles import DAY
from pipelines.tables.ranges import of_rows, rows_of_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from pipelines.tables.published import Published
    from pipelines.tables.store.interface import Store

MOST_APART = 10_000  # lines of a mail that are read by their places; of more the whole table is
_PLACES = f"SELECT '{TOPIC}' AS topic, log_partition, log_offset FROM {NAME}"  # noqa: S608 -- constants
_LINES = f"""
SELECT received_ts, coalesce(said_ts, received_ts) AS at, level, host, unit, process, program, event, message_id,
    sha256, mail_topic, mail_partition, mail_offset, run, flags, line, log_partition, log_offset
FROM {NAME}
"""  # noqa: S608 -- constants
_IN_ORDER = "received_ts, log_partition, log_offset"
_LATEST = "received_ts DESC, log_partition DESC, log_offset DESC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the lines are to be: all of it; None asks nothing."""

    mail: str | None = None  # a Message-ID, with or without <>, or a SHA-256 in hex
    text: str | None = None  # anywhere in the line, in these letters
    levels: list[str] | None = None  # any of these
    host: str | None = None
    unit: str | None = None
    run: str | None = None
    since_day: date | None = None  # on which the log took it, in UTC, or later
    until_day: date | None = None  # or before


_FILTERS = {
    "text": "contains(line, $text)",
    "levels": "list_contains($levels, level)",
    "host": "host = $host",
    "unit": "unit = $unit",
    "run": "run = $run",
}


def lines(store: Store, asked: Asked, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The lines, all or the last `limit` of them, in the order in which the log took them.

    Raises NothingPublished where nothing is analysed yet, TablesDamaged.
    """
    parameters = {name: value for name in _FILTERS if (value := getattr(asked, name)) is not None}
    where = [_FILTERS[name] for name in parameters]
    within = _days(asked)
    with analysed(store) as tables:
        if asked.mail is not None:
            column, value = _key(asked.mail)
            within &= _of_mail(tables, within & (pc.field(f"{column}_hash") == hash_of(value)))
            parameters["mail"] = value
            where.append(f"{column} = $mail")
        tables.narrow(NAME, within)
        if limit is None:
            yield from tables.rows(_LINES, where, _IN_ORDER, parameters)
        else:
            yield from reversed(list(tables.rows(_LINES, where, _LATEST, parameters, limit)))


def _days(asked: Asked) -> pc.Expression:
    within = pc.scalar(True)
    if asked.since_day is not None:
        within &= pc.field(DAY) >= asked.since_day
    if asked.until_day is not None:
        within &= pc.field(DAY) <= asked.until_day
    return within


def _key(mail: str) -> tuple[str, str]:
    """By which column a mail is known, and its value there."""
    named = mail.strip().removeprefix("<").removesuffix(">").strip()
    digest = named.removeprefix("sha256:").lower()
    if len(digest) == 64 and not digest.strip("0123456789abcdef"):
        return "sha256", digest
    return "message_id", named[:ID_CHARACTERS]


def _of_mail(tables: Published, hashed: pc.Expression) -> pc.Expression:
    """Where the rows are that have the hash."""
    tables.narrow(NAME, hashed)
    places = tables.hold("places", _PLACES)
    if not places.num_rows:
        return pc.scalar(False)
    return rows_of_records(of_rows(places)) if places.num_rows <= MOST_APART else hashed
