"""The table of events as it is published, for whoever reads it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ops.analysis.place import NAME
from pipelines.errors import NothingPublished
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.tables.published import Published
    from pipelines.tables.store.interface import Store


@contextmanager
def analysed(events: Store) -> Iterator[Published]:
    """Open it, as `published` does. Raises NothingPublished, which says what to do, TablesDamaged, SchemaDiffers."""
    with ExitStack() as opened:
        try:
            tables = opened.enter_context(published(events, NAME))
        except NothingPublished as error:
            raise NothingPublished("no line is analysed yet: run `otclog ops analyse` first") from error
        yield tables
