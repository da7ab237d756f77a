"""The claim store: several places, each a full copy."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeVar

from log.claims.places import OWNER, FolderPlace
from log.claims.urls import UrlPlace
from log.disk.files import NO_SPACE
from log.errors import ClaimMissing, ClaimUnavailable, DiskFull, NotEnoughReplicas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from log.claims.claim import Claim
    from log.claims.places import ClaimPlace, Draft

T = TypeVar("T")
logger = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 20


class NotTheClaim(Exception):
    """The bytes are not those that the claim names: their file changed while it was read."""


class ClaimOptions(Protocol):
    """What the store needs to be told; `[log]` of the settings file fits."""

    @property
    def root(self) -> Path:
        """A folder of this machine, where is noted when claims were cleaned."""

    @property
    def claims(self) -> tuple[Path | str, ...]:
        """One folder or URL a copy; none: a folder `claims` in each replica."""

    @property
    def claim_grace_s(self) -> float:
        """A claim younger than this is never removed."""

    @property
    def replicas(self) -> tuple[Path, ...]:
        """The log's replicas."""

    @property
    def min_insync(self) -> int:
        """So many copies make a claim durable, or all where there are fewer."""


def open_claims(options: ClaimOptions) -> ClaimStore:
    """The store that the settings name. Nothing is made before the first claim."""
    places: list[ClaimPlace] = [
        UrlPlace(each, options.claim_grace_s / 2) if isinstance(each, str) else FolderPlace(each)
        for each in options.claims
    ] or [FolderPlace(replica / "claims", replica / "replica.json") for replica in options.replicas]
    return ClaimStore(places, min(options.min_insync, len(places)))


class ClaimStore:
    """Bytes by their SHA-256. Its calls hold no more than CHUNK_BYTES of a claim, `read` excepted."""

    def __init__(self, places: Sequence[ClaimPlace], min_copies: int) -> None:
        self.places = places
        self._min_copies = min_copies

    def put(self, claim: Claim, chunks: Callable[[], Iterable[bytes]]) -> None:
        """Return when `min_copies` places have the claim durably. `chunks` gives its bytes; what it raises is raised.

        A copy that is there is read, and written anew unless it is the claim to the byte: who puts it lets go of the
        bytes that the copy could be mended with.
        Raises NotTheClaim, NotEnoughReplicas, DiskFull: then its record must not be appended.
        """
        self._fill(claim, chunks, lambda place: place.renew(claim) and _is_intact(place, claim))

    def keep(self, claim: Claim, chunks: Callable[[], Iterable[bytes]]) -> None:
        """For who has put the claim and appended its record, before the bytes are let go of: put again what has gone.

        Between the two it may have been cleaned away, if that took longer than the grace or the clock was set. From
        now on it stays: cleaning removes no copy that was renewed after it looked for records. Raises as `put` does.
        """
        self._fill(claim, chunks, lambda place: place.renew(claim))

    def _fill(self, claim: Claim, chunks: Callable[[], Iterable[bytes]], has: Callable[[ClaimPlace], bool]) -> None:
        errors: dict[ClaimPlace, OSError] = {}
        lacking = [place for place in self.places if not _tried(place, errors, partial(has, place))]
        drafts: dict[ClaimPlace, Draft] = {}
        try:
            for place in lacking:
                if place not in errors and (draft := _tried(place, errors, partial(place.draft, claim))):
                    drafts[place] = draft
            if drafts:
                _write(claim, drafts, errors, chunks())
            for place, draft in drafts.items():
                if place not in errors:
                    _tried(place, errors, draft.keep)
        finally:
            for draft in drafts.values():
                with contextlib.suppress(OSError):
                    draft.discard()
        self._judge(errors)

    def open(self, claim: Claim) -> BinaryIO:
        """The bytes, out of the first place that has as many as it should. Raises ClaimMissing, ClaimUnavailable."""

        def take(place: ClaimPlace) -> BinaryIO | None:
            file = place.open(claim.sha256)
            if file.seek(0, 2) == claim.size:
                file.seek(0)
                return file
            file.close()
            return None

        return self._first(claim, take)

    def open_intact(self, claim: Claim) -> BinaryIO:
        """The bytes, out of the first place that has them to the byte. Raises ClaimMissing, ClaimUnavailable."""

        def take(place: ClaimPlace) -> BinaryIO | None:
            file = place.open(claim.sha256)
            if _digest(file) == claim.sha256:
                file.seek(0)
                return file
            file.close()
            return None

        return self._first(claim, take)

    def read(self, claim: Claim) -> bytes:
        """All bytes, proved by their SHA-256, out of the first place that has them so.

        Raises ClaimMissing, ClaimUnavailable.
        """

        def take(place: ClaimPlace) -> bytes | None:
            with place.open(claim.sha256) as file:
                raw = file.read(claim.size + 1)
            if hashlib.sha256(raw).hexdigest() == claim.sha256:
                return raw
            logger.warning("%s: damaged claim %s", place, claim.sha256, extra={"sha256": claim.sha256})
            return None

        return self._first(claim, take)

    def _first(self, claim: Claim, take: Callable[[ClaimPlace], T | None]) -> T:
        """What the first place gives that gives anything. A place that cannot be read may have the claim still.

        So may one that no log has marked: of a disk that is not mounted only the empty folder is there.
        """
        errors: dict[ClaimPlace, OSError] = {}
        for place in self.places:
            try:
                try:
                    if (taken := take(place)) is not None:
                        return taken
                except FileNotFoundError:
                    if place.owner() is None:
                        raise OSError(errno.ENODEV, f"it has no {OWNER}: is its disk mounted?") from None
            except OSError as error:
                errors[place] = error
        if errors:
            reasons = "; ".join(f"{place}: {error}" for place, error in errors.items())
            raise ClaimUnavailable(f"claim {claim.sha256} cannot be read now ({reasons})")
        raise ClaimMissing(f"no place of the claim store has {claim.sha256} ({claim.size} bytes) intact")

    def lacks(self, claim: Claim) -> str | None:
        """Which places do not have the claim's bytes, and why; None when every one does. All of them are read."""
        reasons = []
        for place in self.places:
            try:
                with place.open(claim.sha256) as file:
                    is_intact = _digest(file) == claim.sha256
                if not is_intact:
                    reasons.append(f"{place}: damaged")
            except OSError as error:
                reasons.append(f"{place}: {error}")
        return f"claim {claim.sha256}: {'; '.join(reasons)}" if reasons else None

    def _judge(self, errors: dict[ClaimPlace, OSError]) -> None:
        for place, error in errors.items():
            logger.warning("claim store %s: %s", place, error)
        if len(self.places) - len(errors) >= self._min_copies:
            return
        reasons = "; ".join(f"{place}: {error}" for place, error in errors.items())
        if all(error.errno in NO_SPACE for error in errors.values()):
            raise DiskFull(f"no space or no inodes left for a claim ({reasons})")
        raise NotEnoughReplicas(
            f"{len(self.places) - len(errors)} of {len(self.places)} places of the claim store took a claim, "
            f"{self._min_copies} are needed ({reasons})"
        )


def _is_intact(place: ClaimPlace, claim: Claim) -> bool:
    """Whether the copy that is there is the claim. One that cannot be read is not: a new file may be."""
    try:
        with place.open(claim.sha256) as file:
            is_intact = _digest(file) == claim.sha256
    except OSError as error:
        about = {"sha256": claim.sha256}
        logger.warning("%s: claim %s is written anew: %s", place, claim.sha256, error, extra=about)
        return False
    if not is_intact:
        logger.warning("%s: damaged claim %s is written anew", place, claim.sha256, extra={"sha256": claim.sha256})
    return is_intact


def _digest(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def _write(
    claim: Claim, drafts: dict[ClaimPlace, Draft], errors: dict[ClaimPlace, OSError], chunks: Iterable[bytes]
) -> None:
    """The chunks into every draft. Raises NotTheClaim."""
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
        for place in drafts.keys() - errors.keys():
            _tried(place, errors, partial(drafts[place].write, chunk))
    if (digest.hexdigest(), size) != (claim.sha256, claim.size):
        raise NotTheClaim(f"{size} bytes with SHA-256 {digest.hexdigest()} instead of {claim}")


def _tried(place: ClaimPlace, errors: dict[ClaimPlace, OSError], do: Callable[[], T]) -> T | None:
    """What `do` gives; None when it fails, with the place's error noted."""
    try:
        return do()
    except OSError as error:
        errors[place] = error
        return None
