"""Does each record have its outcome, and do the tables add up? By partition, of what is published.

Tables may have more rows than fit into memory, so none is held: of each BUCKET of offsets rows are counted, and their
offsets' hashes summed up. Where both are what they should be, the offsets are, but for a chance of one in 2^64; only of
a bucket where they are not rows are looked at one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.tables.published import Published
    from pipelines.tables.store.interface import Store

BUCKET = 1_000_000  # offsets
OF_MAILS = ("parts", "quotes", "rejects")  # tables of which a mail says how many rows it has
_EXAMPLES = 5

Bucket = tuple[str, int, int]  # topic, partition, and which of its buckets
Sums = dict[str, int]

_COVERED = """
WITH read AS (SELECT unnest(ranges, recursive := true) FROM runs WHERE kind IN ('extract', $kind)),
behind AS (
    SELECT *, max(stop) OVER (
        PARTITION BY topic, "partition" ORDER BY start, stop ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached FROM read
), numbered AS (
    SELECT *, count(*) FILTER (reached IS NULL OR reached < start)
        OVER (PARTITION BY topic, "partition" ORDER BY start, stop) AS island FROM behind
)
SELECT topic, "partition", min(start) AS start, max(stop) AS stop FROM numbered GROUP BY topic, "partition", island
"""
_HERE = "topic = $topic AND log_partition = $partition AND log_offset >= $start AND log_offset < $stop"
_MISSING = f"""
SELECT range AS log_offset FROM range($start::BIGINT, $stop::BIGINT)
ANTI JOIN (SELECT log_offset AS range FROM mails WHERE {_HERE}) USING (range)
"""  # noqa: S608 -- constants
_TWICE = f"SELECT log_offset FROM mails WHERE {_HERE} GROUP BY ALL HAVING count(*) > 1"  # noqa: S608 -- constants
_OTHERS = f"""
SELECT log_offset FROM (SELECT log_offset, sum({{name}}) AS said FROM mails WHERE {_HERE} GROUP BY ALL)
FULL JOIN (SELECT log_offset, count(*) AS rows FROM {{name}} WHERE {_HERE} GROUP BY ALL) USING (log_offset)
WHERE coalesce(said, 0) <> coalesce(rows, 0)
"""  # noqa: S608 -- constants
_BROKEN_RUNS = """
SELECT run_id FROM runs WHERE kind IN ('extract', 'reparse') AND (
    records <> mails OR mails <> mails_parsed + mails_parsed_empty + mails_rejected
    OR parts <> parts_parsed + parts_skipped + parts_rejected
)
"""


@dataclass(frozen=True, slots=True)
class Account:
    """What was found: counts of the tables as a whole, and what does not add up, a sentence each."""

    mails: int
    partitions: int
    runs: int
    broken: tuple[str, ...]
    passed_by: tuple[OffsetRange, ...]  # between what runs have read; no fault where a group was moved over it


def account(store: Store) -> Account:
    """Read the positions of all rows. Raises NothingPublished, TablesDamaged."""
    with published(store, "mails", *OF_MAILS, "runs") as tables:
        extracted, read = _covered(tables, "extract"), _covered(tables, "reparse")
        mails = _mails(tables)
        broken = list(_broken(tables, extracted, mails))
        failed = [row["run_id"] for row in _asked(tables, _BROKEN_RUNS, "run_id")]
        runs = next(_asked(tables, "SELECT count(*)::BIGINT AS n FROM runs", "n"))["n"]
    if failed:
        broken.append(f"{len(failed)} runs say counts that do not add up: {_some(failed)}")
    passed_by = tuple(
        OffsetRange(before.topic, before.partition, before.stop, after.start)
        for before, after in pairwise(read)
        if (before.topic, before.partition) == (after.topic, after.partition)
    )
    places = {bucket[:2] for bucket in mails}
    return Account(sum(each["rows"] for each in mails.values()), len(places), runs, tuple(broken), passed_by)


def _covered(tables: Published, kind: str) -> list[OffsetRange]:
    """What extracts, and runs of this kind, have read: as few ranges, in order."""
    found = _asked(tables, _COVERED, 'topic, "partition", start', kind=kind)
    return [OffsetRange(**row) for row in found]


def _mails(tables: Published) -> dict[Bucket, Sums]:
    own = ", ".join(
        f"sum({name})::BIGINT AS {name}, sum(hash(log_offset)::HUGEINT * {name})::VARCHAR AS {name}_hash"
        for name in OF_MAILS
    )
    states = "count(*) FILTER (state NOT IN ('parsed', 'parsed_empty', 'rejected'))::BIGINT AS no_state"
    return _sums(tables, "mails", f"{own}, {states}")


def _sums(tables: Published, name: str, more: str = "") -> dict[Bucket, Sums]:
    """By bucket: `rows`, `hash`, and `more` expressions."""
    sql = (
        f"SELECT topic, log_partition, log_offset // {BUCKET} AS bucket, count(*)::BIGINT AS rows, "  # noqa: S608 -- constants
        f"sum(hash(log_offset)::HUGEINT)::VARCHAR AS hash {', ' if more else ''}{more} FROM {name} GROUP BY ALL"
    )
    found = {}
    for row in _asked(tables, sql, "bucket"):
        key = row.pop("topic"), row.pop("log_partition"), row.pop("bucket")
        found[key] = {name: int(value) for name, value in row.items()}
    return found


def _broken(tables: Published, extracted: list[OffsetRange], mails: dict[Bucket, Sums]) -> Iterator[str]:
    wanted = _wanted(tables, extracted)
    for bucket in sorted(wanted.keys() | mails.keys()):
        here = mails.get(bucket, {"rows": 0, "hash": 0})
        if (here["rows"], here["hash"]) != wanted.get(bucket, (0, 0)):
            yield from _outcomes(tables, bucket, extracted)
        if here.get("no_state"):
            yield f"{_named(bucket)}: {here['no_state']} mails are in no state that there is"
    states = "count(*) FILTER (state NOT IN ('parsed', 'skipped', 'rejected'))::BIGINT AS no_state"
    for name in OF_MAILS:
        rows = _sums(tables, name, states if name == "parts" else "")
        for bucket in sorted(rows.keys() | mails.keys()):
            said, there = mails.get(bucket, {}), rows.get(bucket, {})
            if [said.get(name, 0), said.get(f"{name}_hash", 0)] != [there.get("rows", 0), there.get("hash", 0)]:
                yield from _rows_of_mails(tables, bucket, name)
            if there.get("no_state"):
                yield f"{_named(bucket)}: {there['no_state']} {name} are in no state that there is"


def _wanted(tables: Published, extracted: list[OffsetRange]) -> dict[Bucket, tuple[int, int]]:
    """How many offsets of each bucket have an outcome, and the sum of their hashes; they are counted as they come."""
    found: dict[Bucket, tuple[int, int]] = {}
    sql = (
        f"SELECT range // {BUCKET} AS bucket, count(*)::BIGINT AS rows, sum(hash(range)::HUGEINT)::VARCHAR AS hash "  # noqa: S608 -- constants
        "FROM range($start::BIGINT, $stop::BIGINT) GROUP BY ALL"
    )
    for each in extracted:
        for row in _asked(tables, sql, "bucket", start=each.start, stop=each.stop):
            key = each.topic, each.partition, row["bucket"]
            rows, total = found.get(key, (0, 0))
            found[key] = rows + row["rows"], total + int(row["hash"])
    return found


def _outcomes(tables: Published, bucket: Bucket, extracted: list[OffsetRange]) -> Iterator[str]:
    """Offsets without an outcome though an extract has read them, and those with two."""
    here = _offsets(bucket)
    missing: list[int] = []
    for each in extracted:
        start, stop = max(each.start, here["start"]), min(each.stop, here["stop"])
        if (each.topic, each.partition) == bucket[:2] and start < stop:
            missing += _found(tables, _MISSING, here | {"start": start, "stop": stop})
    if missing:
        yield f"{_named(bucket)}: {len(missing)} offsets that were extracted have no outcome: {_some(missing)}"
    if twice := _found(tables, _TWICE, here):
        yield f"{_named(bucket)}: {len(twice)} offsets have more outcomes than one: {_some(twice)}"


def _rows_of_mails(tables: Published, bucket: Bucket, name: str) -> Iterator[str]:
    """Offsets of mails that say another number of rows of a table than there is; or of rows without a mail."""
    offsets = _found(tables, _OTHERS.format(name=name), _offsets(bucket))
    yield f"{_named(bucket)}: {len(offsets)} mails have other {name} than they say: {_some(offsets)}"


def _found(tables: Published, sql: str, parameters: dict[str, Any]) -> list[int]:
    return [row["log_offset"] for row in _asked(tables, sql, "log_offset", **parameters)]


def _asked(tables: Published, sql: str, order: str, **parameters: Any) -> Iterator[dict[str, Any]]:
    return tables.rows(f"SELECT * FROM ({sql})", [], order, parameters)  # noqa: S608 -- constants of this module


def _offsets(bucket: Bucket) -> dict[str, Any]:
    topic, partition, number = bucket
    return {"topic": topic, "partition": partition, "start": number * BUCKET, "stop": (number + 1) * BUCKET}


def _named(bucket: Bucket) -> str:
    return f"{bucket[0]}-{bucket[1]}"


def _some(found: list[Any]) -> str:
    return ", ".join(map(str, found[:_EXAMPLES])) + (", …" if len(found) > _EXAMPLES else "")
