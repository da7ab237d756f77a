"""`_published/N.json` names for every table the version that belongs together; readers read these versions."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import msgspec
from deltalake.exceptions import DeltaError

from log.times import now_ms, rfc3339
from pipelines.errors import LeaseLost, NothingPublished, NotStored, SchemaDiffers, TablesDamaged
from pipelines.tables.delta import opened
from pipelines.tables.versions import ADDED, require_not_newer, require_ours, require_present

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    import deltalake

    from pipelines.tables.store.interface import Hold, Store


_FOLDER = "_published"
_NUMBERED = re.compile(r"_published/([1-9]\d*)\.json", re.ASCII)
DeltaVersion = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


@dataclass(frozen=True, slots=True)
class Publication:
    """One state of all tables."""

    number: int  # 1, 2, …
    run_id: str  # the run that made it
    published_at: str  # RFC 3339, UTC
    versions: dict[str, DeltaVersion]  # by table
    topics: dict[str, str] = field(default_factory=dict)  # topic -> its id when its rows were read; not all in 0.2.0's


NOTHING = Publication(0, "", "", {})  # what is published before the first


def publish(
    store: Store,
    run_id: str,
    versions: Mapping[str, int],
    hold: Hold,
    on: Publication,
    *,
    topics: Mapping[str, str] = MappingProxyType({}),
) -> Publication:
    """Publish `versions`, durably. The caller holds the tables by `hold`: nobody else publishes meanwhile.

    They stand `on` what was published when the caller looked: tables that they do not name, and topics other than
    `topics`, stay as they are there. Raises LeaseLost if somebody has published since, which can be only where that one
    or the caller was taken for dead.
    """
    publication = Publication(
        on.number + 1, run_id, rfc3339(now_ms()), {**on.versions, **versions}, {**on.topics, **topics}
    )
    name = _name(publication.number)
    hold.check()  # the number was free before: who stands still from here on finds it taken
    try:
        store.put_new(name, json.dumps(asdict(publication), indent=1).encode())
    except FileExistsError:
        raise LeaseLost(f"another process has published {store.uri(name)} while this one stood still") from None
    return publication


def latest(store: Store) -> Publication:
    """The newest publication. Raises NothingPublished, TablesDamaged."""
    while numbers := _numbers(store):
        with suppress(NotStored):  # removed since it was listed, so that there are newer ones
            return _read(store, max(numbers))
    raise NothingPublished(f"no tables are published in {store.uri()}; run `otclog extract` first")


def newest(store: Store) -> Publication:
    """As `latest`, but that it is NOTHING before the first. Raises TablesDamaged."""
    try:
        return latest(store)
    except NothingPublished:
        return NOTHING


def oldest(store: Store, but: Collection[int] = ()) -> Publication | None:
    """The oldest publication `but` these; None where there is none. Raises TablesDamaged."""
    for number in sorted(set(_numbers(store)) - set(but)):
        with suppress(NotStored):  # removed since it was listed
            return _read(store, number)
    return None


def superseded(store: Store, kept: int, since: datetime, now: datetime, spared: Iterable[int] = ()) -> list[int]:
    """The numbers of old publications: neither of the newest `kept`, nor the newest one at any time after `since`.

    Nor one that is `spared`, nor a later one.

    A time that is yet to come is of a clock that was ahead: what came behind it was there before then.
    """
    listed = ((each, _NUMBERED.fullmatch(each.name)) for each in store.list(_FOLDER))
    written = {int(found[1]): each.written_at for each, found in listed if found}
    numbers = sorted(written)
    for number, after in reversed(list(pairwise(numbers))):
        if written[number] > now:
            written[number] = written[after]
    shown = [number for number, after in pairwise(numbers) if written[after] >= since]
    return [number for number in numbers if number < min([*shown, *numbers[-kept:], *spared])]


def remove(store: Store, numbers: Iterable[int]) -> None:
    """Remove publications, so that what they alone show may go. Who has one open is not asked."""
    store.delete(_name(number) for number in numbers)


def _read(store: Store, number: int) -> Publication:
    place = store.uri(_name(number))
    try:
        content = json.loads(store.get(_name(number)))
        publication = msgspec.convert(content, Publication)
    except (ValueError, TypeError) as error:
        raise _not_as_written(place, error) from error
    if publication.number != number:
        raise _not_as_written(place, f"it says that it is number {publication.number}")
    if later := set(content) - {each.name for each in fields(Publication)}:
        raise SchemaDiffers(f"{place} says {', '.join(sorted(later))}: a later otclog wrote it; use that one")
    return publication


def _not_as_written(place: str, why: object) -> TablesDamaged:
    return TablesDamaged(
        f"{place} is not the publication that was written ({why}): bring it back from a backup, or move it away: then "
        "the one before it holds until the next run publishes"
    )


def made_by(store: Store, run_id: str, after: int = 0) -> Publication | None:
    """The publication that the run has made, the first of those numbered above `after`; None if it has made none.

    A run's row has its publication's number, or that of an upgrade which came before it. Raises TablesDamaged.
    """
    for number in sorted(each for each in _numbers(store) if each > after):
        with suppress(NotStored):  # old, and removed since it was listed
            if (found := _read(store, number)).run_id == run_id:
                return found
    return None


def before(store: Store, publication: Publication) -> Publication | None:
    """The one before; None if it is gone. Raises TablesDamaged."""
    try:
        return _read(store, publication.number - 1)
    except NotStored:
        return None


def table_of(store: Store, publication: Publication, name: str) -> deltalake.DeltaTable:
    """A table, at its version in the publication. Raises TablesDamaged; SchemaDiffers if a later otclog wrote it."""
    version = version_in(store, publication, name)
    what = f"{store.uri(name)} cannot be read at version {version}, which publication {publication.number} names"
    try:
        table = opened(store, name, version)
    except DeltaError as error:
        raise damaged(store, what, error) from error
    if store.is_local and (empty := _empty_commit(store, name, version)):
        raise damaged(store, what, f"{store.uri(empty)} is empty")
    require_not_newer(store, name, table)
    return table


def version_in(store: Store, publication: Publication, name: str) -> int:
    """The table's version in a publication; -1 before the first. Raises TablesDamaged."""
    if publication == NOTHING:
        return -1
    if name not in publication.versions:
        what = f"{store.uri(_name(publication.number))} does not name the table {name}"
        raise damaged(store, what, "each otclog writes all of them")
    return publication.versions[name]


def standing(store: Store) -> dict[str, deltalake.DeltaTable]:
    """The tables that are published; before there is a publication, those that its writer, which died, has made.

    Raises TablesDamaged, SchemaDiffers.
    """
    try:
        publication = latest(store)
    except NothingPublished:
        return _unpublished(store)
    return {name: table_of(store, publication, name) for name in publication.versions}


def _unpublished(store: Store) -> dict[str, deltalake.DeltaTable]:
    made = {}
    for name in ADDED:
        with suppress(DeltaError):  # not made yet, or in part: that is put back before anybody writes
            made[name] = opened(store, name)
            require_not_newer(store, name, made[name])
    return made


def damaged(store: Store, what: str, why: object) -> TablesDamaged:
    """What to do about tables of which `what` is not as it was written."""
    root, reason = store.uri(), str(why).partition("\n")[0]
    return TablesDamaged(
        f"{what} ({reason}): bring {root} back from a backup; or, to extract all that the log has anew, move {root} "
        "away; then run `otclog extract`, which sets its group back to where the tables end"
    )


def _empty_commit(store: Store, name: str, version: int) -> str | None:
    """A commit of nothing at all, which Delta takes for one that changed nothing: the rows it wrote would just be gone.

    Those before a checkpoint stand in that, and are not looked at.
    """
    for number in range(version, -1, -1):
        commit = f"{name}/_delta_log/{number:020}.json"
        with suppress(NotStored):  # Delta may have removed it behind a checkpoint
            if not store.size(commit):
                return commit
        with suppress(NotStored):
            store.size(f"{name}/_delta_log/{number:020}.checkpoint.parquet")
            break
    return None


def require_tables(store: Store) -> None:
    """See that this otclog can write to the tables as they are.

    Raises TablesDamaged unless every table that is published is there, for one made anew would hide that it was lost;
    SchemaDiffers where one has other columns, since another version made it, or somebody else.
    """
    for name, table in standing(store).items():
        require_present(store, name, table)
        require_ours(store, name, table)


def _numbers(store: Store) -> list[int]:
    return [int(found[1]) for name in store.names(_FOLDER) if (found := _NUMBERED.fullmatch(name))]


def _name(number: int) -> str:
    return f"{_FOLDER}/{number}.json"
