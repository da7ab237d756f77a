"""What otclog asks of the place its tables lie in. Names are below the root, their parts joined by `/`.

Errors are StoreUnusable, StoreUnreachable, NotStored and Changed of `pipelines.errors`; a local disk's are OSError.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from pipelines.errors import PipelineError
    from pipelines.tables.store.streams import OutputStream


class Tag(NamedTuple):
    """Tells one content of a name from another."""

    etag: str | None
    version: str | None = None  # what Google's conditions are by


class Stored(NamedTuple):
    """A file or object."""

    name: str
    size: int  # bytes
    written_at: datetime  # UTC, by the clock of the store


class Hold(Protocol):
    """Of a name, while its holder lives."""

    def check(self) -> None:
        """Return if it is still held: ask before each step that others will see. Raises LeaseLost, StoreUnreachable."""


class Store(Protocol):
    """A root and what is below it. Whatever a verb has put is durable when it returns, and visible whole or not at all.

    A call that cannot reach the store is tried again for a bounded time, then raises StoreUnreachable; what it was to
    put may be there then, or may still come to be.
    """

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine: its holds exclude others for sure, and its power may fail."""

    def get(self, name: str) -> bytes:
        """The content. Raises NotStored."""

    def put(self, name: str, data: bytes) -> None:
        """Put `data` in the place of what is there."""

    def put_new(self, name: str, data: bytes) -> Tag:
        """Put `data` if nothing has the name. Raises FileExistsError if anything but `data` has it.

        An equal content is taken for this call's own, whose answer was lost: each caller puts what no other one does.
        """

    def tagged(self, name: str) -> tuple[bytes, Tag]:
        """The content, and its tag for `swap`. Raises NotStored."""

    def swap(self, name: str, data: bytes, tag: Tag) -> Tag:
        """Put `data` in the place of the content with this tag. Raises Changed if another one, or none, is there.

        As with `put_new` each caller puts what no other one does, and nothing that was there before.
        """

    def list(self, folder: str = "") -> Iterator[Stored]:
        """All below a folder, its folders' files among them, in no order; nothing where there is no such folder.

        A folder that cannot be listed is an error: it never reads as an empty one.
        """

    def names(self, folder: str = "") -> Iterator[str]:
        """As `list`, but that nothing is asked of each file, which takes a folder ten times the time of its listing."""

    def delete(self, names: Iterable[str]) -> None:
        """Remove files; they need not be there."""

    def delete_folder(self, folder: str) -> None:
        """Remove all below a folder, and the folder; it need not be there."""

    def make_folder(self, folder: str) -> None:
        """Make a folder where others, as delta-rs, are to write: for its owner alone."""

    def sync(self, names: Iterable[str]) -> None:
        """Return when what others wrote under these names, those of them that are there, is durable."""

    def hold(
        self, name: str, busy: type[PipelineError], what: str, wait_s: float = 0.0
    ) -> AbstractContextManager[Hold]:
        """Be the only one, process or thread, that holds the name.

        Raises `busy`, which says that `what`, and by whom, if another one holds it for longer than `wait_s`.
        """

    def is_free(self, name: str) -> bool:
        """Whether nobody holds the name; of a holder that died a bucket may be long in knowing."""

    def size(self, name: str) -> int:
        """Bytes. Raises NotStored."""

    def open_write(self, name: str) -> AbstractContextManager[OutputStream]:
        """A file to be written from its start, in bounded memory; it is there once the `with` has ended without error.

        Names are new ones. Of a `with` that ended by an error nothing is visible.
        """

    def open_read(self, name: str) -> pa.NativeFile:
        """For Arrow's readers of Parquet, which read the ranges that they need. Raises NotStored."""

    def uri(self, name: str = "") -> str:
        """Where delta-rs finds it, with `storage_options`."""

    def storage_options(self) -> dict[str, str]:
        """For delta-rs. Holds secrets: not to be printed."""

    def refusal(self, text: str, name: str) -> PipelineError | None:
        """What the store means by the text of an error of delta-rs; None if it does not come of the store."""

    def sweep(self, older_than_s: float, prefix: str = "") -> None:
        """Remove what writers that died have left unfinished, which no listing shows, of files named so."""
