"""One quote, once in a line and once in a table, is read alike: two engines answer the same questions."""

from __future__ import annotations

from collections.abc import Callable

from tests.parsers.quotes.desks.cases import quotes_of
from tests.parsers.twins import are_alike, twins

ALIKE = 0.96
"""The least share: what was reached, to be raised with it."""


def test_a_quote_in_a_line_and_in_a_table_is_read_alike(record_property: Callable[[str, object], None]) -> None:
    read = [(twin, quotes_of(twin.line), quotes_of(twin.table)) for twin in twins()]
    apart = [(twin.name, line, table) for twin, line, table in read if not are_alike(line, table)]
    print("\n".join(f"{name}: {line[:1]} {table[:1]}" for name, line, table in apart))  # noqa: T201  shown with a failure
    record_property("count", f"twins: {len(read) - len(apart)} of {len(read)} alike")
    assert len(read) >= 339
    assert len(read) - len(apart) >= ALIKE * len(read)
