"""What went on during a day, in UTC: by the lines that programs said, and by the tables of mails.

A mail's latencies are asked of its Date header, of the log, of the line by which the extraction tells its outcome (it
is there with `[logging] ops = "info"`), and of the first extraction that has it. A Date that is later than the log's
time is passed over. Processes are those that said something, by their pids: of a daemon that was started again two.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.compute as pc
import pyarrow.dataset as ds

from ops.analysis.place import NAME
from ops.analysis.reading import analysed
from pipelines.errors import BadSelection, NothingPublished
from pipelines.tables.datafiles import DAY
from pipelines.tables.published import published

if TYPE_CHECKING:
    from datetime import date

    import pyarrow as pa

    from pipelines.tables.store.interface import Store

_LAST_DAY = f"SELECT max({DAY}) AS day FROM {NAME}"  # noqa: S608 -- constants
_OF_DAY = f"SELECT *, coalesce(said_ts, received_ts) AS told_ts FROM {NAME} WHERE {DAY} = $day"  # noqa: S608 -- constants
_PROGRAMS = f"""
SELECT * FROM (
    SELECT unit, host, count(DISTINCT process) AS processes, count(*) AS lines,
        count(*) FILTER (level = 'warning') AS warnings, count(*) FILTER (level IN ('error', 'critical')) AS errors,
        min(told_ts) AS first, max(told_ts) AS last
    FROM ({_OF_DAY}) GROUP BY ALL
)
"""  # noqa: S608 -- constants
# What differs from one to the next, as an offset, a size, a file's number, is `#`.
_TROUBLES = f"""
SELECT * FROM (
    SELECT level, unit, regexp_replace(left(event, 200), '[0-9]+', '#', 'g') AS message, count(*) AS lines,
        max(told_ts) AS last
    FROM ({_OF_DAY}) WHERE level IN ('warning', 'error', 'critical') GROUP BY ALL
)
"""  # noqa: S608 -- constants
_ODD = f"""
SELECT * FROM (SELECT flag, count(*) AS lines FROM (SELECT unnest(flags) AS flag FROM ({_OF_DAY})) GROUP BY ALL)
"""  # noqa: S608 -- constants
# As `log.groups.tell_of_member` says it; what another program says in these words, which was shipped, is none of it.
_MEMBERS = f"""
WITH told AS (
    SELECT regexp_extract(
        event, '^group (\\S+): member \\S+ of (\\S+) (joined|left|died)$', ['group', 'host', 'did']
    ) AS it
    FROM ({_OF_DAY}) WHERE event LIKE 'group %: member %' AND NOT contains(line, '"shipped": ')
)
SELECT * FROM (
    SELECT it."group" AS "group", it.host AS host, count(*) FILTER (it.did = 'joined') AS joined,
        count(*) FILTER (it.did = 'left') AS "left", count(*) FILTER (it.did = 'died') AS died
    FROM told WHERE it.did <> '' GROUP BY ALL
)
"""  # noqa: S608 -- constants
_HOUR = "epoch_us(received_ts) // 3600000000 % 24"
_LINES_BY_HOUR = f"""
SELECT * FROM (SELECT {_HOUR} AS hour, count(*) AS n FROM ({_OF_DAY}) GROUP BY ALL)
"""  # noqa: S608 -- constants
_OUTCOMES = f"""
SELECT * FROM (
    SELECT mail_topic AS topic, mail_partition AS log_partition, mail_offset AS log_offset, min(said_ts) AS parsed_ts
    FROM {NAME} WHERE state IS NOT NULL AND mail_offset IS NOT NULL GROUP BY ALL
)
"""  # noqa: S608 -- constants
_MAILS_BY_HOUR = f"""
SELECT * FROM (
    SELECT {_HOUR} AS hour, count(*) AS mails, sum(size_bytes)::BIGINT AS bytes, sum(quotes)::BIGINT AS quotes
    FROM mails GROUP BY ALL
)
"""  # noqa: S608 -- constants
_REFUSED = """
SELECT * FROM (
    SELECT rejects.code AS code, mails.dealer AS dealer, parts.content_type AS format,
        rejects.parser_version AS parser_version, count(*) AS rejects
    FROM rejects JOIN mails USING (topic, log_partition, log_offset)
        LEFT JOIN parts USING (topic, log_partition, log_offset, part_path)
    GROUP BY ALL
)
"""
_LATENCIES = """
WITH read AS (SELECT ended_ts, unnest(ranges, recursive := true) FROM runs WHERE kind = 'extract'),
published AS (
    SELECT mails.topic, log_partition, log_offset, min(ended_ts) AS published_ts
    FROM mails JOIN read ON mails.topic = read.topic AND log_partition = read."partition"
        AND log_offset >= start AND log_offset < stop
    GROUP BY ALL
),
times AS (
    SELECT sent_at, received_ts, parsed_ts, published_ts
    FROM mails LEFT JOIN outcomes USING (topic, log_partition, log_offset)
        LEFT JOIN published USING (topic, log_partition, log_offset)
),
hops AS (
    SELECT 'sent to log' AS hop, 1 AS nth, sent_at AS begun, received_ts AS ended FROM times
    UNION ALL SELECT 'log to parsed', 2, received_ts, parsed_ts FROM times
    UNION ALL SELECT 'parsed to published', 3, parsed_ts, published_ts FROM times
    UNION ALL SELECT 'log to published', 4, received_ts, published_ts FROM times
)
SELECT * FROM (
    SELECT hop, nth, count(*) AS mails, quantile_cont(s, 0.5) AS median_s, quantile_cont(s, 0.95) AS p95_s,
        max(s) AS most_s
    FROM (SELECT hop, nth, (epoch_us(ended) - epoch_us(begun)) / 1e6 AS s FROM hops WHERE ended >= begun) GROUP BY ALL
)
"""
_Rows = list[dict[str, Any]]
_SECONDS = ("median_s", "p95_s", "most_s")

HOURS = "hours"  # the section that a page draws


class Section(NamedTuple):
    """A table of the report."""

    name: str
    rows: list[dict[str, Any]]


def last_day(events: Store) -> date:
    """The latest of which lines were analysed. Raises NothingPublished, BadSelection where there is none."""
    with analysed(events) as tables:
        (row,) = tables.rows(_LAST_DAY, [], "", {})
    if row["day"] is None:
        raise BadSelection("no line is analysed yet: run `otclog ops analyse` first")
    found: date = row["day"]
    return found


def sections(events: Store, mails: Store, day: date) -> list[Section]:
    """Those of the day: programs, members of groups, troubles, odd lines, hours, latencies, refusals.

    Of mails none before an extraction.

    Raises NothingPublished where nothing was analysed, TablesDamaged.
    """
    of_day = {"day": day}
    with analysed(events) as tables:
        tables.narrow(NAME, pc.field(DAY).isin([day, day + timedelta(days=1)]))
        programs = list(tables.rows(_PROGRAMS, [], "errors DESC, warnings DESC, unit, host", of_day))
        members = list(tables.rows(_MEMBERS, [], '"group", host', of_day))
        troubles = list(tables.rows(_TROUBLES, [], "lines DESC, level, unit, message", of_day))
        odd = list(tables.rows(_ODD, [], "lines DESC, flag", of_day))
        lines = {row["hour"]: row["n"] for row in tables.rows(_LINES_BY_HOUR, [], "", of_day)}
        outcomes = tables.hold("outcomes", _OUTCOMES)
    by_hour, latencies, refused = _of_mails(mails, day, outcomes)
    return [
        Section("programs", programs),
        Section("members", members),
        Section("troubles", troubles),
        Section("odd lines", odd),
        Section(HOURS, [_hour(hour, by_hour.get(hour, {}), lines.get(hour, 0)) for hour in sorted({*by_hour, *lines})]),
        Section("latencies", latencies),
        Section("refused", refused),
    ]


def _of_mails(mails: Store, day: date, outcomes: pa.Table) -> tuple[dict[int, dict[str, Any]], _Rows, _Rows]:
    """What the tables have of the mails received that day: by the hour, how long they took, what was refused."""
    try:
        with published(mails, "mails", "parts", "rejects", "runs") as tables:
            for name in ("mails", "parts", "rejects"):
                tables.narrow(name, pc.field(DAY) == day)
            tables.narrow("runs", pc.field("ended_ts") >= datetime.combine(day, time.min, UTC))  # none before has them
            tables.add("outcomes", ds.dataset(outcomes))
            by_hour = {row["hour"]: row for row in tables.rows(_MAILS_BY_HOUR, [], "", {})}
            latencies = [_latency(row) for row in tables.rows(_LATENCIES, [], "nth", {})]
            refused = list(tables.rows(_REFUSED, [], "rejects DESC, code, dealer, format, parser_version", {}))
    except NothingPublished:
        return {}, [], []
    return by_hour, latencies, refused


def _latency(row: dict[str, Any]) -> dict[str, Any]:
    return {"hop": row["hop"], "mails": row["mails"]} | {name: round(row[name], 3) for name in _SECONDS}


def _hour(hour: int, mails: dict[str, Any], lines: int) -> dict[str, Any]:
    return {"hour": hour, **{name: mails.get(name, 0) for name in ("mails", "bytes", "quotes")}, "lines": lines}
