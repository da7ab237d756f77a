"""Do tables, log, groups and claims add up? Asked by `otclog doctor --tables`: it reads the positions of all rows."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from conf.printable import counted
from log import find_log, is_there
from log.claims import astray, open_claims
from log.groups import of_each
from ops.findings import Finding
from pipelines.errors import NothingPublished
from pipelines.jobs.standing import ahead_of
from pipelines.readers.conservation import account
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import conf


def rows(settings: conf.Settings) -> Iterator[Finding]:
    """Each record that was extracted has one outcome, and each table as many rows of it as that says."""
    try:
        found = account(store_of(settings.tables))
    except NothingPublished as error:
        yield Finding("rows", "ok", str(error))
        return
    mails = f"{counted(found.mails, 'mail')} of {counted(found.partitions, 'partition')}"
    if not found.broken:
        yield Finding("rows", "ok", f"{mails}: one outcome each, in all tables; so do {counted(found.runs, 'run')} say")
    for broken in found.broken:
        yield Finding("rows", "fail", f"{broken}: `otclog reparse` reads them again; of many, a backup has the tables")
    for each in found.passed_by:
        detail = (
            f"{counted(len(each), 'record')} of {each} were passed by: `otclog reparse {each} --execute` reads them"
        )
        yield Finding("rows", "warn", f"{detail}, where they are not damaged, and nobody meant it")


def groups(settings: conf.Settings) -> Iterator[Finding]:
    """No group is further than the tables are: mails would never be read."""
    if not is_there(settings.log):
        return
    with closing(find_log(settings.log)) as log:
        ahead, unreadable = of_each(log.groups(), partial(ahead_of, log, store_of(settings.tables)))
    for why in unreadable.values():
        yield Finding("groups", "fail", why)
    for name, sources in ahead.items():
        for source, at in sorted(sources.items()):
            detail = f"{name} is at offset {at.offset} of {source} by run {at.metadata}, which is not published"
            yield Finding("groups", "fail", f"{detail}: `otclog extract` sets it back to where the tables end")
    if not any(ahead.values()):
        yield Finding("groups", "ok", f"none of {counted(len(ahead), 'group')} is ahead of the tables")


def claims(settings: conf.Settings) -> Iterator[Finding]:
    """Records and claims belong together."""
    if not is_there(settings.log):
        return
    with closing(find_log(settings.log)) as log:
        found = astray(log, open_claims(settings.log), settings.log.claim_grace_s)
    if found.orphans:
        size = f"{counted(found.orphans, 'file')} of {found.bytes >> 20} MiB"
        yield Finding("claims", "warn", f"no record needs {size}: `otclog log tend` removes them")
    if found.missing:
        named = ", ".join(each[:12] for each in found.missing[:5])
        detail = f"no place has {counted(len(found.missing), 'claim')} that records name: {named}"
        yield Finding("claims", "fail", f"{detail}: bring them back from a backup; their mails end as CLAIM_MISSING")
    if not found.orphans and not found.missing:
        yield Finding("claims", "ok", "each record has its claim, and each claim its record")
