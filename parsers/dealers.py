"""The dealer table: sender's address or domain -> who he is (spec 2.3, 2.7), and how he writes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from parsers.codes import REGIONS, AssetClass, QuoteType
from parsers.quotes.context import Dealer
from parsers.values.times.zones import is_zone

_PACKAGED = (
    Path(__file__).resolve().parent.parent / "conf" / "dealers.toml"
)  # read as data: nothing of conf is imported
SIDES = ("bid/ask", "ask/bid")
UNITS = (1, 1_000, 1_000_000, 1_000_000_000)
_NAME = r"\"[^\"]*\"|'[^']*'|[\w@-]+"
_PATH = rf"(?:{_NAME})(?:\s*\.\s*(?:{_NAME}))*"
_HEADER, _KEYED = re.compile(rf"\s*\[+\s*({_PATH})\s*\]"), re.compile(rf"\s*({_PATH})\s*=")
_MOST_LETTERS = 80  # of a dealer's word


class DealerTableError(ValueError):
    """Nothing of the dealer table can be read; the message names the file."""

    exit_code = 2


class _Slip(ValueError):
    """What is wrong with a key."""


class Dealers(Struct, frozen=True):
    """The table."""

    entries: Mapping[str, Dealer]  # lower-case domain or address -> who stands behind it
    slips: tuple[str, ...] = ()  # what in the file does not hold, each with file, line, entry and key
    is_whole: bool = True  # False: the file is no TOML, and those entries of it were taken that are

    @classmethod
    def load(cls, path: Path | None) -> Dealers:
        """The table of a TOML file; None: the one that comes with otclog.

        Raises:
            DealerTableError: the file cannot be read, or is no text.
        """
        path = path or _PACKAGED
        try:
            return cls.parse(path.read_text("utf-8"), str(path))
        except OSError as error:
            raise DealerTableError(f"[parsers] dealers: {path}: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise DealerTableError(f"[parsers] dealers: {path}: not in UTF-8: {error}") from error

    @classmethod
    def parse(cls, text: str, name: str = "dealers.toml") -> Dealers:
        """The table of a TOML text; `name` is what slips call it.

        A key with a slip does not hold, nor an entry that is no TOML or has no name: all others do.
        """
        tables, slips = _tables(text)
        is_whole = not slips
        entries: dict[str, Dealer] = {}
        for key, table in tables.items():
            dealer, found = _dealer(table)
            if key.lower() in entries:
                found = [*found, (None, None, f"is written twice, as {key.lower()!r} in lower case: the first holds")]
            elif dealer is not None:
                entries[key.lower()] = dealer
            slips += [(_line_of(text, (key, at, word)), f'["{key}"] {what}') for at, word, what in found]
        told = tuple(f"{name}:{line}: {what}" for line, what in sorted(slips))
        return cls(MappingProxyType(entries), told, is_whole)

    def lookup(self, address: str) -> Dealer | None:
        """The dealer of a sender: by address, by domain, by the domains above it; else one named by its domain."""
        key, domain = self.key_of(address), address.lower().rpartition("@")[2]
        return self.entries[key] if key is not None else Dealer(name=domain) if domain else None

    def key_of(self, address: str) -> str | None:
        """The address or domain that heads the entry of a sender."""
        at = address.lower()
        if at in self.entries:
            return at
        at = at.rpartition("@")[2]
        while at and at not in self.entries:
            at = at.partition(".")[2]
        return at or None


def _tables(text: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The entries of a text; where it is no TOML, those that are, and what is wrong with the others, by line."""
    try:
        return tomllib.loads(text), []
    except tomllib.TOMLDecodeError:
        pass
    found: dict[str, Any] = {}
    slips = []
    lines = text.splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if line.lstrip().startswith("[")]
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        try:
            for key, table in tomllib.loads("\n" * start + "".join(lines[start:end])).items():
                if isinstance(table, dict) and isinstance(found.get(key), dict) and not found[key].keys() & table:
                    found[key] |= table
                elif key in found:
                    slips.append((start + 1, f'["{key}"] stands twice'))
                else:
                    found[key] = table
        except tomllib.TOMLDecodeError as error:
            at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", str(error))
            line = int(at[1]) if at and at[1] else end
            slips.append(
                (line, f"no TOML: {str(error)[: at.start()] if at else error}; up to the next [entry] left out")
            )
    return found, slips


_Found = tuple[str | None, str | None, str]  # a key, a word in its table, what is wrong with it


def _dealer(entry: object) -> tuple[Dealer | None, list[_Found]]:
    """What an entry says, without the keys that are wrong; None without a name."""
    if not isinstance(entry, dict):
        return None, [(None, None, "must be a table")]
    slips: list[_Found] = []
    said: dict[str, Any] = {}
    for key, value in entry.items():
        try:
            if key in TABLES:
                said[key], found = _words(key, value)
                slips += found
            else:
                name, read = _KEYS.get(key) or _unknown(key, value)
                said[name] = read(value)
        except _Slip as slip:
            slips.append((key, None, str(slip)))
    if "name" not in said:
        is_told = any(at == "name" for at, _, _ in slips)
        return None, slips if is_told else [*slips, (None, None, "needs a name: all of it is left out")]
    return Dealer(**said), slips


def _unknown(key: str, value: object) -> tuple[str, Callable[[Any], Any]]:
    if isinstance(value, dict):
        raise _Slip(f'has a table {key!r}: a domain is written in quotes, as ["bank.example"]')
    raise _Slip(f"has an unknown key {key!r}; known are {', '.join(sorted({*_KEYS, *TABLES}))}")


def _text(key: str, known: Callable[[str], object], what: str) -> Callable[[object], str]:
    """Reads a text of which this is known; else it `is ...`."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise _Slip(f"{key} must be text")
        if not known(value):
            raise _Slip(what if key == "name" else f"{key} {value!r} is {what}")
        return value

    return read


def _is_currency(code: str) -> bool:
    from parsers.values.currencies import CODES  # of the lexicon, too

    return code in CODES


def _unit(value: object) -> int:
    if isinstance(value, bool) or value not in UNITS:
        raise _Slip(f"unit {value!r} is none of {', '.join(map(str, UNITS))}")
    return int(value)


def _is_thirty_seconds(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Slip("thirty_seconds must be true or false")
    return value


def _words(key: str, value: object) -> tuple[tuple[tuple[str, str], ...], list[_Found]]:
    """What the words of a table mean, and those that mean nothing."""
    if not isinstance(value, dict):
        raise _Slip(f'{key} must be a table of words, as {{ "wir nehmen" = "bid" }}')
    is_known, what = TABLES[key]
    said: dict[str, str] = {}
    slips: list[_Found] = []
    for own, meant in value.items():
        if not own.strip() or len(own) > _MOST_LETTERS:
            slips.append((key, own, f"{key}: {own!r} is no word of at most {_MOST_LETTERS} letters"))
        elif not isinstance(meant, str) or not is_known(meant):
            slips.append((key, own, f"{key}: {own!r} is said to be {meant!r}, which is {what}"))
        else:
            said[" ".join(own.lower().split())] = meant
    return tuple(sorted(said.items())), slips


def is_phrase(meant: str) -> bool:
    """Whether the lexicon has it."""
    from parsers.lexicon import entries  # a table without words needs none

    return any(meant.casefold() == entry.phrase.casefold() for entry in entries())


def is_heading(meant: str) -> bool:
    """Whether a column can be headed so."""
    from parsers.quotes.headings.columns import column

    found = column(0, (meant,))
    return found.role != "unknown" and found.clear


_KEYS: Mapping[str, tuple[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "name": ("name", _text("name", bool, "needs a name")),
        "region": ("region", _text("region", REGIONS.__contains__, f"none of {', '.join(sorted(REGIONS))}")),
        "zone": ("zone", _text("zone", is_zone, "no IANA time zone")),
        "class": ("asset_class", _text("class", AssetClass.__members__.__contains__, "no asset class")),
        "currency": ("currency", _text("currency", _is_currency, "no code of a currency")),
        "measure": ("measure", _text("measure", QuoteType.__members__.__contains__, "no quote type")),
        "sides": ("sides", _text("sides", SIDES.__contains__, f"none of {', '.join(SIDES)}")),
        "unit": ("unit", _unit),
        "thirty_seconds": ("thirty_seconds", _is_thirty_seconds),
    }
)
"""What an entry may say: its field of `Dealer`, and how it is read."""

TABLES: Mapping[str, tuple[Callable[[str], bool], str]] = MappingProxyType(
    {"words": (is_phrase, "no phrase of the lexicon"), "columns": (is_heading, "no heading that otclog knows")}
)
"""Its tables of words: what these may mean."""

FIELDS: Mapping[str, str] = MappingProxyType({key: field for key, (field, _) in _KEYS.items()})
"""The field of `Dealer` that a key of a file says."""


def places(text: str) -> list[tuple[str, ...]]:
    """Of each line of TOML text which value's path it has: entry, key, word of the key's table; () of all others."""
    found: list[tuple[str, ...]] = []
    within: tuple[str, ...] = ()
    for written in text.splitlines():
        here: tuple[str, ...] = ()
        if header := _HEADER.match(written):
            here = within = _names(header[1])
        elif keyed := _KEYED.match(written):
            here = (*within, *_names(keyed[1]))
        found.append(here)
    return found


def _line_of(text: str, path: Sequence[str | None]) -> int:
    """1-based line of TOML text at which most of a path stands."""
    most, line = 0, 1
    for number, here in enumerate(places(text), 1):
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, path, strict=False)))
        if common > most:
            most, line = common, number
    return line


def _names(path: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, path))
