"""Small JSON files that say how things stand: sealed with a CRC, numbered by a version, kept in several copies."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from log.disk.files import NOT_THE_DISK, disk_errors_as_log_errors, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Document = dict[str, Any]

FIELDS = {  # what a file of that name says in every version: one that does not is another file, copied over it
    "log.json": {"format", "log_id", "replicas"},
    "replica.json": {"format", "log_id", "replica"},
    "topic.json": {"log_id", "version", "partitions", "config"},
    "state.json": {"log_id", "version", "leader", "epoch", "isr", "replicas"},
}


def seal(document: Document) -> bytes:
    """The document as JSON with its CRC among the keys."""
    return json.dumps({"crc32": _crc(document), **document}, indent=1, sort_keys=True).encode("ascii") + b"\n"


def unseal(data: bytes) -> Document | None:
    """The document; None if a byte of it is not as it was written."""
    try:
        document = json.loads(data)
        crc = document.pop("crc32")
    except (ValueError, KeyError, AttributeError, TypeError):
        return None
    return document if crc == _crc(document) else None


def write_document(path: Path, document: Document) -> None:
    """Replace the file, durably. Raises OSError."""
    replace_file(path, seal(document))


def read_document(path: Path) -> Document | None:
    """None when there is no such file, it cannot be read, its CRC is wrong, or it is a file of another kind.

    Raises OSError where it is this process that cannot read any: that says nothing of the file.
    """
    try:
        document = unseal(path.read_bytes())
    except OSError as error:
        if error.errno in NOT_THE_DISK:
            raise
        return None
    return document if document is not None and FIELDS.get(path.name, set()) <= document.keys() else None


def newest(authority: Path, copies: Iterable[Path]) -> Document | None:
    """The highest version of what the root's file is about or, without that, a majority of the copies; else None.

    A document is about a log, and within that about a topic. A copy that missed the topic's deletion is about another
    one, of the same name, and its version says nothing. Raises OutOfResources.
    """
    places = list(copies)
    with disk_errors_as_log_errors():
        held = [document for document in map(read_document, places) if document is not None]
        ours = read_document(authority)
    if ours is not None:
        about = _about(ours)
    else:
        about, count = Counter(map(_about, held)).most_common(1)[0] if held else ((), 0)
        if 2 * count <= len(places):
            return None
    return max(
        (document for document in (ours, *held) if document is not None and _about(document) == about),
        key=lambda document: int(document["version"]),
    )


def _about(document: Document) -> tuple[str, ...]:
    return document["log_id"], document.get("topic_id", "")  # logs of an older version do not name the topic


def _crc(document: Document) -> int:
    return zlib.crc32(json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii"))
