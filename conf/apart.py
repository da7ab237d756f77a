"""Which places must not be one another's: what lies in each would be taken for something else, or deleted."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conf.settings import Settings

Where = tuple[str, ...]  # table and key


class Clash(NamedTuple):
    """Two settings that cannot be both."""

    keys: tuple[Where, ...]  # the one to be named first
    why: str


class _Place(NamedTuple):
    key: Where
    path: Path

    def __str__(self) -> str:
        return f"[{self.key[0]}] {self.key[1]}" if self.key[1:] else "the settings themselves"


def clashes(settings: Settings, written_in: Iterable[Path]) -> Iterator[Clash]:
    """What contradicts itself in the settings, which were read from these files."""
    log, ingest = settings.log, settings.ingest
    folders = _places(
        (("log", "root"), log.folders[:1]),
        (("log", "replicas"), log.folders[1:]),
        (("log", "claims"), log.claims),
        (("tables", "root"), [settings.tables.root]),
        (("metrics", "folder"), [settings.metrics.folder]),
    )
    files = _places(
        (("ingest", "ledger"), [ingest.ledger]),
        (("ingest", "import_progress"), [ingest.import_progress]),
        (("lmtp", "socket"), [settings.lmtp.socket]),
        (("logging", "file"), [settings.logging.file]),
        (("alerts", "state"), [settings.alerts.state]),
        (("",), written_in),
    )
    yield from _mail_among(settings, folders, files)
    yield from _messages_among(settings, folders)
    if ingest.backfill_topic == ingest.topic:
        why = f"topic and backfill_topic are both {ingest.topic!r}: old mails would keep new ones waiting"
        yield Clash((("ingest", "backfill_topic"), ("ingest", "topic")), why)
    for one, other in [*combinations(files, 2), *combinations(folders, 2)]:
        apart = "tables" in {one.key[0], other.key[0]} and _within(one.path, other.path)
        if one.key != other.key and (apart or one.path == other.path):
            yield Clash((other.key, one.key), f"{other} and {one} lie in one another: name other places")


def _places(*named: tuple[Where, Iterable[Path | str | None]]) -> list[_Place]:
    """The places on this machine, as they are without `..`."""
    return [
        _Place(key, Path(os.path.normpath(path))) for key, paths in named for path in paths if isinstance(path, Path)
    ]


def _mail_among(settings: Settings, folders: Sequence[_Place], files: Sequence[_Place]) -> Iterator[Clash]:
    """Folders whose files are published and deleted, and otclog's own among them, or around."""
    for source in settings.ingest.sources:
        mail = Path(os.path.normpath(source.path))
        for own in (*folders, *files):
            if own.path.is_relative_to(mail) or (own in folders and mail.is_relative_to(own.path)):
                why = (
                    f"the files in {source.path} are taken for mail, and {own.path} is otclog's own: "
                    "keep them in different folders"
                )
                yield Clash((("ingest", "sources"), own.key), why)


def _messages_among(settings: Settings, folders: Sequence[_Place]) -> Iterator[Clash]:
    """A file of messages where otclog keeps files of its own names, one of which it might be."""
    for told in _places((("logging", "file"), [settings.logging.file])):
        for own in folders:
            if told.path.is_relative_to(own.path):
                yield Clash((told.key, own.key), f"{told} lies in {own}, whose files are otclog's: name another place")


def _within(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)
