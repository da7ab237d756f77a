"""The dealer table: sender's address or domain -> dealer, region, time zone, default class (spec 2.3, 2.7)."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from parsers.codes import REGIONS, AssetClass
from parsers.quotes.context import Dealer

_PACKAGED = (
    Path(__file__).resolve().parent.parent / "conf" / "dealers.toml"
)  # read as data: nothing of conf is imported
_KEYS = frozenset({"name", "region", "zone", "class"})


class DealerTableError(ValueError):
    """The dealer table cannot be used; the message names the entry and the key."""


class Dealers(Struct, frozen=True):
    """The table. `digest` changes with its content, and is part of the parser version."""

    entries: Mapping[str, Dealer]
    digest: str  # SHA-256 of the file, hex

    @classmethod
    def load(cls, path: Path | None) -> Dealers:
        """The table of a TOML file; None: the one that comes with otclog.

        Raises:
            DealerTableError: an entry has an unknown key, region, zone or class.
            OSError: the file cannot be read.
        """
        path = path or _PACKAGED
        return cls.parse(path.read_text("utf-8"), path.name)

    @classmethod
    def parse(cls, text: str, name: str = "dealers.toml") -> Dealers:
        """The table of a TOML text; `name` is what errors call it."""
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise DealerTableError(f"{name}: {error}") from error
        entries = {key.lower(): _dealer(key, entry, name) for key, entry in tables.items()}
        return cls(MappingProxyType(entries), hashlib.sha256(text.encode()).hexdigest())

    def lookup(self, address: str) -> Dealer | None:
        """The dealer of a sender: by address, by domain, by the domains above it; else one named by its domain."""
        address = address.lower()
        domain = address.rpartition("@")[2]
        found, at = self.entries.get(address), domain
        while found is None and at:
            found = self.entries.get(at)
            at = at.partition(".")[2]
        return found if found is not None or not domain else Dealer(name=domain)


def _dealer(key: str, entry: object, file: str) -> Dealer:
    where = f'{file}: ["{key}"]'
    if not isinstance(entry, dict):
        raise DealerTableError(f"{where} must be a table")
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise DealerTableError(f"{where} has an unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}")
    if not all(isinstance(value, str) for value in entry.values()):
        raise DealerTableError(f"{where} values must be text")
    if not entry.get("name"):
        raise DealerTableError(f"{where} needs a name")
    region = entry.get("region", "unknown")
    if region not in REGIONS:
        raise DealerTableError(f"{where} region {region!r} is none of {', '.join(sorted(REGIONS))}")
    if "zone" in entry:
        try:
            ZoneInfo(entry["zone"])
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise DealerTableError(f"{where} zone {entry['zone']!r} is no IANA time zone") from error
    if "class" in entry and entry["class"] not in AssetClass.__members__:
        raise DealerTableError(f"{where} class {entry['class']!r} is no asset class")
    return Dealer(name=entry["name"], region=region, zone=entry.get("zone"), asset_class=entry.get("class"))
