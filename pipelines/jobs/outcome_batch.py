"""Outcomes as an Arrow batch, column by column: no Python object is made that the parser did not make."""

from __future__ import annotations

import re
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema

from pipelines.jobs.staged import KEY, MAIL, PART, QUOTE, REJECT, STAGED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql.types import StructType

    from parsers.outcome import MailOutcome

_NONE: Mapping[str, Callable[[Any], Any]] = {}
_SURROGATES = re.compile("[\ud800-\udfff]")


def _arrow(schema: StructType) -> pa.Schema:
    return to_arrow_schema(schema, timezone="UTC")


_STAGED, _KEY, _MAIL = _arrow(STAGED), _arrow(KEY), _arrow(MAIL)
_PART, _QUOTE, _REJECT = _arrow(PART), _arrow(QUOTE), _arrow(REJECT)

_COUNTS: dict[str, Callable[[MailOutcome], int]] = {
    "parts": lambda outcome: len(outcome.parts),
    "quotes": lambda outcome: len(outcome.quotes),
    "rejects": lambda outcome: len(outcome.rejects),
}


def outcome_batch(positions: Sequence[pa.Array], outcomes: Sequence[MailOutcome]) -> pa.RecordBatch:
    """One row a mail, of schema STAGED; `positions` are the columns topic to received_ts of these mails.

    Raises ValueError (pyarrow's ArrowInvalid is one) where an outcome has what its columns do not hold.
    """
    columns = [
        *positions,
        *_columns(_KEY, outcomes),
        _structs(_MAIL, outcomes, _COUNTS),
        _lists(_PART, [outcome.parts for outcome in outcomes]),
        _lists(_QUOTE, [outcome.quotes for outcome in outcomes]),
        _lists(_REJECT, [outcome.rejects for outcome in outcomes]),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_STAGED)


def _lists(schema: pa.Schema, groups: Sequence[Sequence[Any]]) -> pa.Array:
    offsets = pa.array([0, *accumulate(len(group) for group in groups)], pa.int32())
    return pa.ListArray.from_arrays(offsets, _structs(schema, [row for group in groups for row in group]))


def _structs(schema: pa.Schema, rows: Sequence[Any], computed: Mapping[str, Callable[[Any], Any]] = _NONE) -> pa.Array:
    return pa.StructArray.from_arrays(_columns(schema, rows, computed), fields=list(schema))


def _columns(
    schema: pa.Schema, rows: Sequence[Any], computed: Mapping[str, Callable[[Any], Any]] = _NONE
) -> list[pa.Array]:
    return [_column(field, list(map(computed.get(field.name) or attrgetter(field.name), rows))) for field in schema]


def _column(field: pa.Field, values: list[Any]) -> pa.Array:
    try:
        array = pa.array(values, field.type)
    except UnicodeEncodeError:  # a lone surrogate: neither Arrow nor Delta can hold one
        array = pa.array([value and _SURROGATES.sub("\ufffd", value) for value in values], field.type)
    if array.null_count and not field.nullable:
        raise ValueError(f"{field.name} is null in {array.null_count} rows")
    return array
