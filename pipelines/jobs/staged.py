"""What the parse step hands over: one row a mail with its whole outcome nested; each table is a projection of it.

A task writes the outcomes of its mails into one file, and gives back one line about it: rows never pass through the
driver. A task that is done twice leaves two files, of which one line comes back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import ArrayType, StructField, StructType

from pipelines.metrics import CODE
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import MAILS, PARTS, POSITION, QUOTES, REJECTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Store

MAILS_A_BATCH = 1024

_DERIVED = ("received_day",)  # from received_ts
_OF_THE_MAIL = ("message_key", "parser_version")  # columns that parts and rejects have from their mail

RECORD = StructType([field for field in POSITION if field.name not in _DERIVED])
KEY = StructType([MAILS.schema[name] for name in _OF_THE_MAIL])


def _nested(table: Table, *elsewhere: str) -> StructType:
    taken = {*(field.name for field in POSITION), *elsewhere}
    return StructType([field for field in table.schema if field.name not in taken])


MAIL = _nested(MAILS, *_OF_THE_MAIL)
PART = _nested(PARTS, *_OF_THE_MAIL)
QUOTE = _nested(QUOTES)
REJECT = _nested(REJECTS, *_OF_THE_MAIL)
MAIL_COLUMN = "mail"  # the other columns are named as their tables, and are lists

STAGED = StructType(
    [
        *RECORD,
        *KEY,
        StructField(MAIL_COLUMN, MAIL, nullable=False),
        StructField("parts", ArrayType(PART, containsNull=False), nullable=False),
        StructField("quotes", ArrayType(QUOTE, containsNull=False), nullable=False),
        StructField("rejects", ArrayType(REJECT, containsNull=False), nullable=False),
    ]
)


ARROW = to_arrow_schema(STAGED, timezone="UTC")


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file of outcomes, and what they amount to."""

    name: str  # in the store
    size: int  # bytes
    ranges: tuple[OffsetRange, ...]  # whose records have an outcome in it, in order
    versions: tuple[str, ...]  # of the parsers
    counts: dict[str, int]  # rows: mails, parts, quotes, rejects; and of mails and parts by state, as mails_parsed, ...
    # ... of rejects by code, as code_ROW_NO_PRICE


def stage(outcomes: Iterable[pa.RecordBatch], store: Store, name: str) -> StagedFile | None:
    """Write batches of schema STAGED into a file of this name; None, and no file, where there are none."""
    batches = iter(outcomes)
    first = next(batches, None)
    if first is None:
        return None
    counts: Counter[str] = Counter()
    ranges: list[OffsetRange] = []
    versions: set[str] = set()
    with store.open_write(name) as to, pq.ParquetWriter(to, ARROW, compression="zstd") as file:
        for batch in chain([first], batches):
            file.write_batch(batch)
            counts.update(_counted(batch))
            ranges += _positions(batch)
            versions.update(batch.column("parser_version").to_pylist())
    return StagedFile(name, to.size, tuple(joined(ranges)), tuple(sorted(versions)), dict(counts))


def as_line(staged: StagedFile) -> str:
    """For the way from a task to the driver."""
    return msgspec.json.encode(staged).decode()


def from_line(line: str) -> StagedFile:
    """What `as_line` was given."""
    return msgspec.json.decode(line, type=StagedFile)


def joined(ranges: Iterable[OffsetRange]) -> Iterator[OffsetRange]:
    """The same offsets as few ranges, in order; one that stands twice stays twice."""
    last: OffsetRange | None = None
    for each in sorted(ranges):
        if last and (last.topic, last.partition, last.stop) == (each.topic, each.partition, each.start):
            last = OffsetRange(last.topic, last.partition, last.start, each.stop)
            continue
        if last:
            yield last
        last = each
    if last:
        yield last


def _counted(batch: pa.RecordBatch) -> Counter[str]:
    counts = Counter({"mails": batch.num_rows})
    for name, rows in (("mails", batch.column(MAIL_COLUMN)), ("parts", pc.list_flatten(batch.column("parts")))):
        for each in pc.value_counts(pc.struct_field(rows, "state")).to_pylist():
            counts[f"{name}_{each['values']}"] += each["counts"]
    codes = pc.struct_field(pc.list_flatten(batch.column("rejects")), "code")
    counts.update({f"{CODE}{each['values']}": each["counts"] for each in pc.value_counts(codes).to_pylist()})
    for name in ("parts", "quotes", "rejects"):
        counts[name] += len(pc.list_flatten(batch.column(name)))
    return counts


def _positions(batch: pa.RecordBatch) -> Iterator[OffsetRange]:
    rows = zip(*(batch.column(name).to_pylist() for name in ("topic", "log_partition", "log_offset")), strict=True)
    return joined(OffsetRange(topic, partition, offset, offset + 1) for topic, partition, offset in rows)


def rows_of(store: Store, names: Sequence[str], table: Table) -> Iterator[pa.RecordBatch]:
    """The rows that the staged mails have in `table`, of its Arrow schema, some thousand mails' at a time."""
    content = MAIL_COLUMN if table is MAILS else table.name
    columns = [*RECORD.names, *KEY.names, content]
    for name in names:
        with pq.ParquetFile(store.open_read(name), pre_buffer=True) as staged:
            for batch in staged.iter_batches(MAILS_A_BATCH, columns=columns):
                yield _projected(batch, content, table.arrow_schema())


def _projected(batch: pa.RecordBatch, content: str, schema: pa.Schema) -> pa.RecordBatch:
    rows = batch.column(content)
    outer = batch.drop_columns(content)
    if content != MAIL_COLUMN:  # a list: its mail's columns stand beside each of its rows
        outer, rows = outer.take(pc.list_parent_indices(rows)), pc.list_flatten(rows)
    columns = dict(zip(outer.schema.names, outer.columns, strict=True))
    columns["received_day"] = pc.cast(columns["received_ts"], pa.date32())
    columns |= dict(zip((field.name for field in rows.type), rows.flatten(), strict=True))
    return pa.RecordBatch.from_arrays([columns[field.name].cast(field.type) for field in schema], schema=schema)
