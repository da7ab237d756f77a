"""What the parse step hands over: one row a mail with its whole outcome nested; each table is a projection of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as sf
from pyspark.sql.types import ArrayType, StructField, StructType

from pipelines.schemas import MAILS, PARTS, POSITION, QUOTES, REJECTS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from pipelines.schemas import Table

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

STAGED = StructType(
    [
        *RECORD,
        *KEY,
        StructField("mail", MAIL, nullable=False),
        StructField("parts", ArrayType(PART, containsNull=False), nullable=False),
        StructField("quotes", ArrayType(QUOTE, containsNull=False), nullable=False),
        StructField("rejects", ArrayType(REJECT, containsNull=False), nullable=False),
    ]
)


def rows_of(staged: DataFrame, table: Table) -> DataFrame:
    """The rows that these mails have in `table`."""
    position: list[Column | str] = [*RECORD.names, sf.to_date("received_ts").alias("received_day")]
    content: dict[str, list[Column | str]] = {
        MAILS.name: [*KEY.names, "mail.*"],
        PARTS.name: [*KEY.names, sf.inline("parts")],
        QUOTES.name: [sf.inline("quotes")],
        REJECTS.name: [*KEY.names, sf.inline("rejects")],
    }
    return staged.select(*position, *content[table.name]).select(*table.schema.names)
