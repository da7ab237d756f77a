"""What a table is, and the columns that every row out of the log begins with.

Delta keeps statistics, which let a reader skip files, on the first 32 columns only: what rows are looked up and
replaced by comes first, long text last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    DataType,
    DateType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

if TYPE_CHECKING:
    import pyarrow as pa

TEXT = StringType()
INT = IntegerType()
LONG = LongType()
DATE = DateType()
TIMESTAMP = TimestampType()


@dataclass(frozen=True)
class Table:
    """A Delta table: a folder of that name under `[tables] root`."""

    name: str
    schema: StructType
    partitioned_by: tuple[str, ...] = ()

    def arrow_schema(self) -> pa.Schema:
        """The same columns as Arrow has them, times in UTC."""
        return self._arrow_schema

    @cached_property
    def _arrow_schema(self) -> pa.Schema:
        return to_arrow_schema(self.schema, timezone="UTC")


def column(name: str, kind: DataType, comment: str, *, required: bool = False) -> StructField:
    """A column; `comment` is its documentation in the table itself."""
    return StructField(name, kind, nullable=not required, metadata={"comment": comment})


POSITION = (
    column("topic", TEXT, "topic of the mail's record", required=True),
    column("log_partition", INT, "its partition, 0-based", required=True),
    column("log_offset", LONG, "its offset, 0-based", required=True),
    column("received_ts", TIMESTAMP, "the record's append time, UTC", required=True),
    column("received_day", DATE, "day of received_ts in UTC", required=True),
)
