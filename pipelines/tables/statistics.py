"""What Delta's log says of a data file, so that readers can skip it: rows, nulls, the least and the greatest value.

By Delta's protocol ("Per-file Statistics"): a bound may lie outside of the values, never within them. So times are cut
to milliseconds, the greatest one rounded up, and long strings to a prefix, the greatest one with the highest code point
behind it. Lists and booleans have no bounds. Only a file's first 32 columns have statistics.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

COLUMNS = 32  # `delta.dataSkippingNumIndexedCols`, by default
PREFIX = 32  # characters of a string
HIGHEST = "\U0010ffff"
_MS = timedelta(milliseconds=1)
_json = msgspec.json.Encoder(decimal_format="number")


@dataclass(slots=True)
class Statistics:
    """Of one file, as its batches are written."""

    rows: int = 0
    nulls: dict[str, int] = field(default_factory=dict)
    bounds: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def add(self, batch: pa.RecordBatch) -> None:
        """Count a batch in; `batch` has the file's columns in their order."""
        self.rows += batch.num_rows
        for name, column in list(zip(batch.schema.names, batch.columns, strict=True))[:COLUMNS]:
            self.nulls[name] = self.nulls.get(name, 0) + column.null_count
            if not (pa.types.is_boolean(column.type) or pa.types.is_nested(column.type)):
                self._widen(name, pc.min_max(column).as_py())

    def _widen(self, name: str, found: dict[str, Any]) -> None:
        if found["min"] is not None:
            least, greatest = self.bounds.get(name, (found["min"], found["max"]))
            self.bounds[name] = min(least, found["min"]), max(greatest, found["max"])

    def as_json(self) -> str:
        """As an Add action has them."""
        least = {name: below(bounds[0]) for name, bounds in self.bounds.items()}
        greatest = {name: above(bounds[1]) for name, bounds in self.bounds.items()}
        told = {
            "numRecords": self.rows,
            "minValues": {name: value for name, value in least.items() if value is not None},
            "maxValues": {name: value for name, value in greatest.items() if value is not None},
            "nullCount": self.nulls,
        }
        return _json.encode(told).decode()


def below(value: Any) -> Any:
    """As statistics say a least value: never above it. None where they can say nothing."""
    match value:
        case datetime():
            return _time(value)
        case str():
            return value[:PREFIX]
        case _:
            return _plain(value)


def above(value: Any) -> Any:
    """The same of a greatest value: never below it."""
    match value:
        case datetime():
            with suppress(OverflowError):  # the end of Python's years
                return _time(value + _MS if value.microsecond % 1000 else value)
            return None
        case str():
            return _prefix_above(value)
        case _:
            return _plain(value)


def _prefix_above(text: str) -> str | None:
    if len(text) <= PREFIX:
        return text
    return None if text[PREFIX] == HIGHEST else text[:PREFIX] + HIGHEST


def _time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return value if value - value == 0 else None  # neither infinite nor no number
    return value if isinstance(value, int | Decimal) else None
