"""The entries of the lexicon: what a phrase means, in which languages, where it may stand.

A file has groups of entries. A group is headed by what its phrases say, and lists them by language:

    [[weekday]]
    en = ["monday", "tuesday"]
    de = ["montag", "dienstag"]

    [["level.ask"]]
    also = ["heading.side.ask", "heading.size.size"]
    de = ["brief"]

A sense beside a level, in a heading or in a subject has its place in its name (`senses.names`). A phrase stands once in
all files, with all that it says. `any` lists what no language owns, or of which nobody has said whose it is; `weight`
what the phrases weigh against others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from parsers.lexicon.files import WordsBroken, tables
from parsers.lexicon.senses import Place, names

FOLDER = Path(__file__).parent
LANGUAGES = frozenset({"any", "en", "de", "fr", "es", "pt", "it"})
_KEYS = frozenset({"also", "weight"})


class Entry(Struct, frozen=True, order=True):
    """One phrase with what it means."""

    phrase: str  # as it is printed, in lower case unless it is always in capitals; with its accents
    senses: tuple[str, ...]  # by the names of files, in the order of the closed list
    languages: tuple[str, ...]
    weight: int = 1


class _Slip(ValueError):
    """What is wrong in one group, or at a key or phrase of it."""

    def __init__(self, what: str, at: str | None = None) -> None:
        super().__init__(what)
        self.at = at


@cache
def entries() -> tuple[Entry, ...]:
    """All entries, in an order that the files' does not change. Raises WordsBroken, OSError."""
    return entries_of(sorted(FOLDER.glob("*.toml")))


@cache
def phrases(place: Place = Place.sentence) -> Mapping[str, tuple[str, ...]]:
    """The phrases of each sense that may stand there."""
    found: dict[str, list[str]] = defaultdict(list)
    for entry in entries():
        for name in entry.senses:
            where, sense = names()[name]
            if where is place:
                found[sense].append(entry.phrase)
    return MappingProxyType({sense: tuple(listed) for sense, listed in found.items()})


@cache
def said(place: Place) -> Mapping[str, tuple[str, ...]]:
    """The other way round: what each phrase says there, in the order of the closed list."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries():
        senses = tuple(sense for where, sense in map(names().__getitem__, entry.senses) if where is place)
        if senses:
            found[entry.phrase] = senses
    return MappingProxyType(found)


def entries_of(files: Iterable[Path]) -> tuple[Entry, ...]:
    """The entries of some files. Raises WordsBroken, OSError."""
    found: dict[str, Entry] = {}
    for file in files:
        for name, groups in tables(file).items():
            for number, group in enumerate(groups if isinstance(groups, list) else [groups]):
                try:
                    found |= _new(_group(name, group), found)
                except _Slip as slip:
                    line = _line_of(file.read_text("utf-8"), name, number, slip.at)
                    raise WordsBroken(f"{file}:{line}: {slip}") from slip
    return tuple(sorted(found.values()))


def _new(group: Mapping[str, Entry], found: Mapping[str, Entry]) -> Mapping[str, Entry]:
    twice = next((phrase for phrase in group if phrase in found), None)
    if twice is not None:
        senses = ", ".join(found[twice].senses)
        raise _Slip(f"{twice!r} is an entry already, and says {senses}: what else it says belongs there", f'"{twice}"')
    return group


def _group(name: str, group: Any) -> dict[str, Entry]:
    if not isinstance(group, dict):
        raise _Slip(f"{name!r} stands under no sense: a group of entries begins with [[its sense]]")
    senses, weight = _senses(name, group.get("also", [])), group.get("weight", 1)
    if not isinstance(weight, int) or weight < 1:
        raise _Slip(f"weight {weight!r} is no whole number of at least 1", "weight")
    languages: dict[str, list[str]] = defaultdict(list)
    for language, words in group.items():
        if language in LANGUAGES:
            for phrase in _words(language, words):
                if language in languages[phrase]:
                    raise _Slip(f"{phrase!r} stands twice in {language}", f'"{phrase}"')
                languages[phrase].append(language)
        elif language not in _KEYS:
            raise _Slip(f"{language!r} is neither a language ({', '.join(sorted(LANGUAGES))}) nor a key", language)
    return {phrase: Entry(phrase, senses, tuple(sorted(of)), weight) for phrase, of in languages.items()}


def _senses(name: str, also: Any) -> tuple[str, ...]:
    """All that a group says, in the order of the closed list."""
    if not isinstance(also, list):
        raise _Slip("also is no list of senses", "also")
    for sense, key in ((name, None), *((other, "also") for other in also)):
        if sense not in names():
            raise _Slip(f"{sense!r} is no sense; the senses are those of parsers/lexicon/senses.py", key)
    return tuple(sorted({name, *also}, key=_ranks().__getitem__))


@cache
def _ranks() -> Mapping[str, int]:
    """The places of the senses in the closed list."""
    return {name: rank for rank, name in enumerate(names())}


def _words(language: str, words: Any) -> Iterator[str]:
    if not isinstance(words, list):
        raise _Slip(f"{language} is no list of phrases", language)
    for phrase in words:
        if not isinstance(phrase, str) or not phrase or phrase != " ".join(phrase.split()):
            raise _Slip(f"{phrase!r} is no phrase: a text without blanks at its ends, and single ones in it", language)
        yield phrase


def _line_of(text: str, name: str, number: int, what: str | None) -> int:
    """1-based line of a group's header, or of a key or a quoted phrase in it."""
    at, found = -1, 1
    for line, words in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([^\]\s]+)", words)
        if header is not None and header[1].strip("\"'") == name:
            at, found = at + 1, line if at < number else found
        named = re.match(r"\s*([\w.-]+)\s*=", words)
        is_named = named is not None and named[1] == (what if at >= 0 else name)
        is_quoted = what is not None and what[0] == '"' and what in words
        if (at < 0 and is_named) or (at == number and (is_named or is_quoted)):
            return line
    return found
