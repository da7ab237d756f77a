"""Delta tables in a store, as delta-rs opens them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import deltalake
from deltalake.exceptions import DeltaError, TableNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.tables.store.interface import Store


def opened(store: Store, name: str, version: int | None = None) -> deltalake.DeltaTable:
    """The table, at a version, or at its newest. Raises DeltaError, and what the store refuses by."""
    with refusals_told(store, name):
        return deltalake.DeltaTable(store.uri(name), version=version, storage_options=store.storage_options())


def opened_if_there(store: Store, name: str) -> deltalake.DeltaTable | None:
    """The table at its newest version; None where there is no Delta table of this name. Raises as `opened`."""
    try:
        return opened(store, name)
    except TableNotFoundError:
        return None


@contextmanager
def refusals_told(store: Store, name: str) -> Iterator[None]:
    """What delta-rs fails by as the error of the store, where that is the cause: its own text may hold keys."""
    try:
        yield
    except (DeltaError, OSError) as error:
        if refusal := store.refusal(str(error), name):
            raise refusal from None
        raise
