"""Proves, on the store itself, that it keeps what two writers need: put-if-absent and compare-and-set."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from pipelines.errors import Changed, StoreUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipelines.tables.store.interface import Store, Tag

FOLDER = "_probe"
WRITERS = 4


def prove(store: Store) -> None:
    """Let writers race for a new name, and for a content; remove what that left.

    Raises StoreUnusable for a store that lets more than one win, and what the verbs raise.
    """
    name = f"{FOLDER}/{uuid.uuid4().hex}"
    contents = [b"writer %d" % writer for writer in range(WRITERS)]
    try:
        _one(store, "put-if-absent (If-None-Match)", [partial(store.put_new, name, data) for data in contents])
        _, tag = store.tagged(name)
        swaps = [partial(store.swap, name, b"then " + data, tag) for data in contents]
        _one(store, "compare-and-set (If-Match)", swaps)
        if not _refused(partial(store.swap, name, b"late", tag)) or store.get(name) == b"late":
            raise _unusable(store, "compare-and-set (If-Match)")
    finally:
        store.delete([name])


def _one(store: Store, what: str, calls: Sequence[Callable[[], Tag]]) -> None:
    """Make the calls at once: one of them must succeed."""
    with ThreadPoolExecutor(len(calls)) as writers:
        refused = list(writers.map(_refused, calls))
    if refused.count(False) != 1:
        raise _unusable(store, what)


def _refused(call: Callable[[], Tag]) -> bool:
    try:
        call()
    except (FileExistsError, Changed):
        return True
    return False


def _unusable(store: Store, what: str) -> StoreUnusable:
    return StoreUnusable(
        f"{store.uri()}: the store does not honour {what}, so two writers would overwrite each other: use one that does"
    )
