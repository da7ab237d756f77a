"""What the parse step hands over: one row a mail with its whole outcome nested; each table is a projection of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 -- the name it has everywhere
from pyspark.sql.types import ArrayType, StructField, StructType

from pipelines.schemas import MAILS, PARTS, POSITION, QUOTES, REJECTS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from pipelines.schemas import Table

_DERIVED = ("received_day",)  # from received_ts, by Spark
_OF_THE_MAIL = ("message_key", "parser_version")  # columns of parts and rejects that stand with the mail

RECORD = StructType([field for field in POSITION if field.name not in _DERIVED])


def _nested(table: Table, *elsewhere: str) -> StructType:
    taken = {*(field.name for field in POSITION), *elsewhere}
    return StructType([field for field in table.schema if field.name not in taken])


MAIL = _nested(MAILS)
PART = _nested(PARTS, *_OF_THE_MAIL)
QUOTE = _nested(QUOTES)
REJECT = _nested(REJECTS, *_OF_THE_MAIL)

STAGED = StructType(
    [
        *RECORD,
        StructField("mail", MAIL, nullable=False),
        StructField("parts", ArrayType(PART, containsNull=False), nullable=False),
        StructField("quotes", ArrayType(QUOTE, containsNull=False), nullable=False),
        StructField("rejects", ArrayType(REJECT, containsNull=False), nullable=False),
    ]
)


def rows_of(staged: DataFrame, table: Table) -> DataFrame:
    """The rows that these mails have in `table`."""
    position: list[Column | str] = [*RECORD.names, F.to_date("received_ts").alias("received_day")]
    of_the_mail = [f"mail.{name}" for name in _OF_THE_MAIL]
    content: dict[str, list[Column | str]] = {
        MAILS.name: ["mail.*"],
        PARTS.name: [*of_the_mail, F.inline("parts")],
        QUOTES.name: [F.inline("quotes")],
        REJECTS.name: [*of_the_mail, F.inline("rejects")],
    }
    return staged.select(*position, *content[table.name]).select(*table.schema.names)
