"""The dealer table: sender's address or domain -> dealer, region, time zone, default class (spec 2.3, 2.7)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from parsers.codes import REGIONS, AssetClass
from parsers.quotes.context import Dealer
from parsers.values.zones import is_zone

_PACKAGED = (
    Path(__file__).resolve().parent.parent / "conf" / "dealers.toml"
)  # read as data: nothing of conf is imported
_KEYS = frozenset({"name", "region", "zone", "class"})


class DealerTableError(ValueError):
    """The dealer table cannot be used; the message names file, line, entry and key."""

    exit_code = 2


class _Slip(ValueError):
    def __init__(self, what: str, key: str | None = None) -> None:
        super().__init__(what)
        self.key = key


class Dealers(Struct, frozen=True):
    """The table."""

    entries: Mapping[str, Dealer]  # lower-case domain or address -> who stands behind it

    @classmethod
    def load(cls, path: Path | None) -> Dealers:
        """The table of a TOML file; None: the one that comes with otclog.

        Raises:
            DealerTableError: it is no TOML, or an entry has an unknown key, region, zone or class.
            OSError: the file cannot be read.
        """
        path = path or _PACKAGED
        try:
            return cls.parse(path.read_text("utf-8"), str(path))
        except UnicodeDecodeError as error:
            raise DealerTableError(f"{path}: not in UTF-8: {error}") from error

    @classmethod
    def parse(cls, text: str, name: str = "dealers.toml") -> Dealers:
        """The table of a TOML text; `name` is what errors call it."""
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise DealerTableError(f"{name}: {error}") from error
        entries = {}
        for key, entry in tables.items():
            try:
                entries[key.lower()] = _dealer(entry)
            except _Slip as slip:
                line = _line_of(text, key, slip.key)
                raise DealerTableError(f'{name}:{line}: ["{key}"] {slip}') from slip
        return cls(MappingProxyType(entries))

    def lookup(self, address: str) -> Dealer | None:
        """The dealer of a sender: by address, by domain, by the domains above it; else one named by its domain."""
        address = address.lower()
        domain = address.rpartition("@")[2]
        found, at = self.entries.get(address), domain
        while found is None and at:
            found = self.entries.get(at)
            at = at.partition(".")[2]
        return found if found is not None or not domain else Dealer(name=domain)


def _dealer(entry: object) -> Dealer:
    if not isinstance(entry, dict):
        raise _Slip("must be a table")
    for key, value in entry.items():
        if isinstance(value, dict):
            raise _Slip(f'has a table {key!r}: a domain is written in quotes, as ["bank.example"]', key)
        if key not in _KEYS:
            raise _Slip(f"has an unknown key {key!r}; known are {', '.join(sorted(_KEYS))}", key)
        if not isinstance(value, str):
            raise _Slip(f"{key} must be text", key)
    if not entry.get("name"):
        raise _Slip("needs a name", "name")
    region = entry.get("region", "unknown")
    if region not in REGIONS:
        raise _Slip(f"region {region!r} is none of {', '.join(sorted(REGIONS))}", "region")
    if "zone" in entry and not is_zone(entry["zone"]):
        raise _Slip(f"zone {entry['zone']!r} is no IANA time zone", "zone")
    if "class" in entry and entry["class"] not in AssetClass.__members__:
        raise _Slip(f"class {entry['class']!r} is no asset class", "class")
    return Dealer(name=entry["name"], region=region, zone=entry.get("zone"), asset_class=entry.get("class"))


def _line_of(text: str, entry: str, key: str | None) -> int:
    """1-based line of an entry's key in TOML text; where it has none there, of the entry's header."""
    found, inside = 1, False
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"""\s*\[\s*["']?([^"'\]]*)""", line):
            inside = header[1].strip() == entry or header[1].startswith(f"{entry}.")
            found = number if inside else found
        elif (named := re.match(r"""\s*["']?([\w.@-]+)["']?\s*=""", line)) and (
            (inside and named[1] == key) or named[1] == entry
        ):
            return number
    return found
