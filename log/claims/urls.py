"""One copy of the claim store that fsspec opens by a URL; drawn as a folder is, see places.py, but without a lock."""

from __future__ import annotations

import contextlib
import os
import re
import time
import uuid
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from log.claims.endpoints import is_plain
from log.claims.places import FORMAT, OWNER, UNFINISHED, Kept
from log.disk.documents import seal, unseal
from log.errors import LogUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.claims.claim import Claim
    from log.claims.places import Draft


_SHA256 = re.compile("[0-9a-f]{64}")
_BUCKETS = ("s3", "az", "gs")


class UrlPlace:
    """A place that fsspec opens: `s3://bucket/claims`, `memory://claims`. It must show a write at once.

    There is no lock: a claim that is used again when it is no longer young is written anew instead of renewed.
    """

    def __init__(self, url: str, renew_after_s: float) -> None:
        self._url = url
        self._renew_after_s = renew_after_s
        self._fs, self._root = _opened(url)

    def __str__(self) -> str:
        return self._url

    def owner(self) -> str | None:
        """See ClaimPlace."""
        try:
            found = unseal(self._fs.cat_file(f"{self._root}/{OWNER}"))
        except FileNotFoundError:
            return None
        return None if found is None else str(found["log_id"])

    def own(self, log_id: str) -> str:
        """See ClaimPlace."""
        if (owner := self.owner()) is None:
            self._fs.makedirs(self._root, exist_ok=True)
            self._fs.pipe_file(f"{self._root}/{OWNER}", seal({"format": FORMAT, "log_id": log_id}))
            owner = self.owner()  # of two logs that came here at once, the last has it
        if owner is None:
            raise OSError(f"{self._root}/{OWNER}: was not kept")
        return owner

    def draft(self, claim: Claim) -> Draft:
        """See ClaimPlace."""
        unfinished = f"{self._root}/{UNFINISHED}/{claim.sha256}.{uuid.uuid4().hex}"
        self._fs.makedirs(f"{self._root}/{UNFINISHED}", exist_ok=True)
        self._fs.makedirs(self._path(claim.sha256).rpartition("/")[0], exist_ok=True)
        return _UrlDraft(self._fs, unfinished, self._path(claim.sha256), claim.size)

    def renew(self, claim: Claim) -> bool:
        """See ClaimPlace."""
        path = self._path(claim.sha256)
        try:
            return self._fs.info(path)["size"] == claim.size and self._age_s(path) < self._renew_after_s
        except FileNotFoundError:
            return False

    def open(self, name: str) -> BinaryIO:
        """See ClaimPlace."""
        path = self._path(name)
        self._fs.info(path)  # a file that is not there may not tell before it is read
        return cast("BinaryIO", self._fs.open(path, "rb"))

    def kept(self) -> Iterator[Kept]:
        """See ClaimPlace."""
        for path, info in self._fs.find(self._root, detail=True).items():
            folder, _, name = path.rpartition("/")
            if _SHA256.fullmatch(name) and not folder.endswith(f"/{UNFINISHED}"):  # a store may show folders, too
                modified = self._modified(path)
                yield Kept(name, info["size"], time.time() - modified, modified)

    def remove(self, kept: Kept, grace_s: float) -> bool:
        """See ClaimPlace."""
        path = self._path(kept.name)
        with contextlib.suppress(FileNotFoundError):
            if self._modified(path) == kept.state and self._age_s(path) > grace_s:
                self._fs.rm_file(path)
                return True
        return False

    def sweep(self, grace_s: float) -> None:
        """See ClaimPlace."""
        for path in self._fs.find(f"{self._root}/{UNFINISHED}"):
            with contextlib.suppress(FileNotFoundError):
                if self._age_s(path) > grace_s:
                    self._fs.rm_file(path)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name[:2]}/{name}"

    def _age_s(self, path: str) -> float:
        return time.time() - self._modified(path)

    def _modified(self, path: str) -> float:
        return float(self._fs.modified(path).timestamp())


def _opened(url: str) -> tuple[Any, str]:
    """Who reads and writes there, and his name for the place. Keys of an object store are the environment's."""
    import fsspec

    scheme: Any = url.partition("://")[0]
    if scheme not in _BUCKETS:
        fs, root = fsspec.core.url_to_fs(url)
        return fs, root
    from obstore.fsspec import FsspecStore  # as tables lie there; fsspec's own would be one more package a store

    try:
        plain = is_plain(os.environ)
    except ValueError as error:
        raise LogUnusable(f"[log] claims = {url!r}: {error}") from error
    return FsspecStore(scheme, client_options={"allow_http": plain}), url.partition("://")[2].rstrip("/")


class _UrlDraft:
    def __init__(self, fs: Any, unfinished: str, path: str, size: int) -> None:
        self._fs, self._unfinished, self._path, self._size = fs, unfinished, path, size
        self._file = fs.open(unfinished, "wb")

    def write(self, chunk: bytes, /) -> None:
        self._file.write(chunk)

    def keep(self) -> None:
        self._file.close()
        self._fs.mv(self._unfinished, self._path)
        if (found := self._fs.info(self._path)["size"]) != self._size:
            raise OSError(f"{self._path}: {found} bytes were kept of {self._size}")

    def discard(self) -> None:
        self._file.close()
        with contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(self._unfinished)
