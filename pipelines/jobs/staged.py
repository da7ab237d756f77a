"""What the parse step hands over: one row a mail with its whole outcome nested; each table is a projection of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyspark.sql.types import ArrayType, StructField, StructType

from pipelines.tables.schemas import MAILS, PARTS, POSITION, QUOTES, REJECTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipelines.tables.schemas import Table

MAILS_A_BATCH = 1024

_DERIVED = ("received_day",)  # from received_ts, by Spark
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


def rows_of(staging: Path, table: Table) -> Iterator[pa.RecordBatch]:
    """The rows that the staged mails have in `table`, of its Arrow schema, some thousand mails' at a time."""
    content = MAIL_COLUMN if table is MAILS else table.name
    staged = ds.dataset(staging, format="parquet")
    for batch in staged.to_batches(columns=[*RECORD.names, *KEY.names, content], batch_size=MAILS_A_BATCH):
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
