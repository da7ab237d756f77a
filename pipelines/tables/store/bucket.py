"""The store in a bucket: S3, Azure, Google, by obstore. What it has acknowledged is durable."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, TypeVar

import obstore
import pyarrow as pa
from obstore.store import from_url

from conf.settings import ConfigError
from log.claims.endpoints import ENDPOINTS, FOR_S3_ALONE, is_plain
from pipelines.errors import Changed, NotStored, StoreUnreachable, StoreUnusable
from pipelines.tables.store.border import ConditionFailed, refusal_of, store_errors
from pipelines.tables.store.credentials import read_keys
from pipelines.tables.store.interface import Stored, Tag
from pipelines.tables.store.lease import lease_is_free, leased
from pipelines.tables.store.streams import InputStream, OutputStream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from obstore import PutMode, UpdateVersion
    from obstore.store import ClientConfig, RetryConfig

    from pipelines.errors import PipelineError
    from pipelines.tables.store.interface import Hold

T = TypeVar("T")

PATIENCE_S = 60.0  # how long a call is tried again
REQUEST_S = 30.0  # until a request that has no answer counts as lost
CONNECT_S = 5.0
LONGEST_PAUSE_S = 5.0
PART_BYTES = 8 * 2**20  # of an upload; three of them are in memory at most
PARTS_AT_ONCE = 2
ABANDONED_S = 600.0  # a holder that lives renews its lease each few seconds
# Delta's commits stand on put-if-absent: no variable of the environment may turn it off.
_SAFE_COMMITS = {"AWS_CONDITIONAL_PUT": "etag", "AWS_S3_ALLOW_UNSAFE_RENAME": "false"}


class Bucket:
    """A store below an s3, az or gs URL. See `interface.Store`.

    It may be pickled, without its secrets: whoever opens it reads the environment and the file of credentials anew.
    Raises RuntimeError in a process that was forked from one that had opened a bucket: spawn it.
    """

    is_local = False

    def __init__(self, url: str, credentials: Path | None, patience_s: float = PATIENCE_S) -> None:
        _spawned()
        self._url, self._credentials, self._patience_s = url.rstrip("/"), credentials, patience_s
        self._options = _before_the_environment(read_keys(credentials), credentials) if credentials else {}
        given = os.environ | self._options
        try:
            self._plain = is_plain(given)
        except ValueError as error:
            raise ConfigError(str(error)) from error
        safe = {"AWS_CONDITIONAL_PUT": "etag"} if self._url.startswith("s3://") else {}
        config: Any = self._options | safe  # of three kinds
        client: ClientConfig = {
            "allow_http": self._plain,
            "connect_timeout": timedelta(seconds=CONNECT_S),
            "timeout": timedelta(seconds=REQUEST_S),
        }
        # Few, and gone on with by `_tried`: amid a call of obstore a process hears no signal.
        retry: RetryConfig = {"max_retries": 5, "retry_timeout": timedelta(seconds=min(10.0, patience_s))}
        with store_errors(self._url):
            self._store = from_url(self._url, config=config, client_options=client, retry_config=retry)

    def __repr__(self) -> str:
        return f"Bucket({self._url!r})"

    def __reduce__(self) -> tuple[type[Bucket], tuple[str, Path | None, float]]:
        return Bucket, (self._url, self._credentials, self._patience_s)

    def get(self, name: str) -> bytes:
        """See `Store`."""
        return self.tagged(name)[0]

    def put(self, name: str, data: bytes) -> None:
        """See `Store`."""
        self._tried(name, lambda: obstore.put(self._store, name, data, use_multipart=False))

    def put_new(self, name: str, data: bytes) -> Tag:
        """See `Store`."""
        tag = self._put_if(name, data, None)
        if tag is None:
            raise FileExistsError(f"{self.uri(name)} is there already")
        return tag

    def tagged(self, name: str) -> tuple[bytes, Tag]:
        """See `Store`."""

        def call() -> tuple[bytes, Tag]:
            found = obstore.get(self._store, name)
            return bytes(found.bytes()), Tag(found.meta["e_tag"], found.meta["version"])

        return self._tried(name, call)

    def swap(self, name: str, data: bytes, tag: Tag) -> Tag:
        """See `Store`."""
        new = self._put_if(name, data, tag)
        if new is None:
            raise Changed(f"{self.uri(name)} is not what it was: another process wrote it")
        return new

    def list(self, folder: str = "") -> Iterator[Stored]:
        """See `Store`."""

        def call() -> list[Stored]:  # whole, for it is tried again whole
            pages = obstore.list(self._store, prefix=folder or None, chunk_size=1000)
            return [Stored(each["path"], each["size"], each["last_modified"]) for page in pages for each in page]

        return iter(self._tried(folder, call))

    def names(self, folder: str = "") -> Iterator[str]:
        """See `Store`."""
        return (each.name for each in self.list(folder))

    def delete(self, names: Iterable[str]) -> None:
        """See `Store`."""
        wanted = list(names)
        try:
            self._tried("", lambda: obstore.delete(self._store, wanted))
        except NotStored:  # a store without a call for many at once ends with the first that is not there
            for name in wanted:
                with suppress(NotStored):
                    self._delete(name)

    def delete_folder(self, folder: str) -> None:
        """See `Store`."""
        self.delete(self.names(folder))

    def make_folder(self, folder: str) -> None:
        """Nothing: a bucket has none."""

    def sync(self, names: Iterable[str]) -> None:
        """Nothing: what a bucket has acknowledged is durable."""

    def hold(
        self, name: str, busy: type[PipelineError], what: str, wait_s: float = 0.0
    ) -> AbstractContextManager[Hold]:
        """See `Store`: a lease."""
        return leased(self, name, busy, what, wait_s=wait_s)

    def is_free(self, name: str) -> bool:
        """See `Store`."""
        return lease_is_free(self, name) or self._age_s(name) > ABANDONED_S

    def refusal(self, text: str, name: str) -> PipelineError | None:
        """See `Store`."""
        return refusal_of(text, self.uri(name))

    def size(self, name: str) -> int:
        """See `Store`."""
        try:
            return self._tried(name, lambda: obstore.head(self._store, name))["size"]
        except (NotStored, StoreUnusable):  # of the reasons only an answer with a body tells
            return self._tried(name, lambda: obstore.get(self._store, name).meta)["size"]

    @contextmanager
    def open_write(self, name: str) -> Iterator[OutputStream]:
        """See `Store`.

        What is larger than a part is kept in a temporary file without a name, and sent from there: an upload whose
        parts went out as they were written could not be made again where its start or end was lost.
        """
        with SpooledTemporaryFile(max_size=PART_BYTES) as kept:
            file = OutputStream(kept.write)
            try:
                yield file
                file.flush()
            finally:
                file.end()

            def send() -> None:
                kept.seek(0)
                obstore.put(self._store, name, kept, chunk_size=PART_BYTES, max_concurrency=PARTS_AT_ONCE)

            self._tried(name, send)

    def open_read(self, name: str) -> pa.NativeFile:
        """See `Store`."""

        def fetch(start: int, length: int) -> bytes:
            return self._tried(name, lambda: bytes(obstore.get_range(self._store, name, start=start, length=length)))

        return pa.PythonFile(InputStream(fetch, self.size(name)), mode="r")

    def uri(self, name: str = "") -> str:
        """See `Store`."""
        return f"{self._url}/{name}" if name else self._url

    def storage_options(self) -> dict[str, str]:
        """See `Store`."""
        client = {"timeout": f"{REQUEST_S:g}s", "connect_timeout": f"{CONNECT_S:g}s"}
        client |= {"max_retries": "5", "retry_timeout": f"{self._patience_s:g}s"}
        plain = {"allow_http": "true"} if self._plain else {}
        return self._options | _SAFE_COMMITS | client | plain

    def sweep(self, older_than_s: float, prefix: str = "") -> None:
        """Nothing: a bucket shows no unfinished uploads to obstore."""

    def _age_s(self, name: str) -> float:
        """For how long nobody has put it, by the clock of the store; 0 where it is not there any more."""
        clock = f"_locks/clock.{secrets.token_hex(8)}"
        self.put(clock, b"")
        try:
            now, then = (self._tried(each, partial(obstore.head, self._store, each)) for each in (clock, name))
            return (now["last_modified"] - then["last_modified"]).total_seconds()
        except NotStored:
            return 0.0
        finally:
            self.delete([clock])

    def _put_if(self, name: str, data: bytes, before: Tag | None) -> Tag | None:
        """Put `data` where the content has the tag `before`, or for None is not there. None: another content is there.

        A failed condition may be the second try of a put whose first answer was lost, and a lost answer may be a put
        that succeeded. So what is there is looked at, and the put tried again only where nothing has happened yet.
        """
        mode: PutMode = "create" if before is None else _condition(before)

        def call() -> Tag | None:
            try:
                with store_errors(self.uri(name)):
                    done = obstore.put(self._store, name, data, mode=mode, use_multipart=False)
                return Tag(done["e_tag"], done["version"])
            except (*ConditionFailed, StoreUnreachable):
                found, tag = self._found(name)
            if found == data:
                return tag
            if tag == before:
                raise StoreUnreachable(f"{self.uri(name)}: the store does not take it now; try again")
            return None

        return self._tried(name, call)

    def _found(self, name: str) -> tuple[bytes | None, Tag | None]:
        try:
            return self.tagged(name)
        except NotStored:
            return None, None

    def _delete(self, name: str) -> None:
        self._tried(name, lambda: obstore.delete(self._store, name))

    def _tried(self, name: str, call: Callable[[], T]) -> T:
        """What `call` returns, tried again while the store cannot be reached and the patience lasts."""
        _spawned()
        deadline, pause_s = time.monotonic() + self._patience_s, 0.1
        while True:
            try:
                with store_errors(self.uri(name)):
                    return call()
            except StoreUnreachable:
                if time.monotonic() + pause_s > deadline:
                    raise
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


_openers: set[int] = set()


def _spawned() -> None:
    """Raises RuntimeError after a fork: obstore's threads stayed with the parent, and no call would ever return."""
    if _openers and os.getpid() not in _openers:
        raise RuntimeError("this process was forked from one that had opened a bucket: it must be spawned")
    _openers.add(os.getpid())


def _before_the_environment(keys: dict[str, str], file: Path) -> dict[str, str]:
    """The same keys. Raises ConfigError where the environment's endpoint would come before theirs."""
    named = [name for name in ENDPOINTS if name in keys]
    if named and FOR_S3_ALONE not in keys and os.environ.get(FOR_S3_ALONE, keys[named[0]]) != keys[named[0]]:
        raise ConfigError(f"{FOR_S3_ALONE} is set, and would come before {named[0]} of {file}: unset it")
    return keys


def _condition(tag: Tag) -> UpdateVersion:
    condition: UpdateVersion = {}
    if tag.etag is not None:
        condition["e_tag"] = tag.etag
    if tag.version is not None:
        condition["version"] = tag.version
    return condition
