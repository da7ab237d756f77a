"""Values of filters that nothing published has, and what may have been meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipelines.tables.store.interface import Store


def unknown(store: Store, table: str, what: str, names: Iterable[str], filters: Mapping[str, Any]) -> Iterator[str]:
    """In words: the values of filters that no row of the table, a `what`, has in that column, each with those near it.

    Raises NothingPublished, TablesDamaged.
    """
    given = {name: value for name in names if (value := filters.get(name)) is not None}
    with published(store, table) as tables:
        for name, value in given.items():
            rows = tables.rows(f"SELECT DISTINCT {name} AS value FROM {table}", [f"{name} IS NOT NULL"], name, {})  # noqa: S608  constants
            known = {row["value"].lower(): row["value"] for row in rows}
            if value.lower() not in known:
                near = " or ".join(known[each] for each in get_close_matches(value.lower(), known))
                told = f"--{name.replace('_', '-')} {value}: no {what} has it"
                yield told + (f"; did you mean {near}?" if near else "")
