"""Writes what was learnt into a dealer table, whose comments and order stay as they are."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from parsers.dealers import TABLES, Dealers, places
from parsers.learning.lesson import Atom, Lesson, with_atoms
from parsers.quotes.context import Dealer


class NotWritten(ValueError):
    """The table is written in a way that this cannot add to; the message has what to add."""

    exit_code = 1


def as_toml(lesson: Lesson) -> str:
    """What is to be added to the entry, as one would type it."""
    lines = [f"[{_text(lesson.entry)}]"]
    lines += [f"{atom.key} = {_value(atom.value)}" for atom in lesson.atoms if atom.own is None]
    for table in TABLES:
        words = [atom for atom in lesson.atoms if atom.key == table]
        lines += [f"{table} = {{ {', '.join(map(_word, words))} }}"] if words else []
    return "\n".join(lines)


def with_lesson(text: str, lesson: Lesson) -> str:
    """The text of a table with what was learnt. Raises NotWritten."""
    before = Dealers.parse(text)
    lines = text.splitlines()
    dealer = before.entries.get(lesson.entry)
    if dealer is None:
        dealer = Dealer(name=lesson.entry.rpartition("@")[2])
        lines += [*([""] if lines else []), f"[{_text(lesson.entry)}]", f"name = {_text(dealer.name)}"]
    for atom in lesson.atoms:
        _put(lines, lesson.entry, atom)
    written = "\n".join(lines) + "\n"
    after = Dealers.parse(written)
    wanted = {**before.entries, lesson.entry: with_atoms(dealer, lesson.atoms)}
    if dict(after.entries) != wanted or len(after.slips) != len(before.slips):
        raise NotWritten(
            f"the table has the entry in a form that nothing can be added to; write it yourself:\n{as_toml(lesson)}"
        )
    return written


def write(file: Path, text: str) -> None:
    """Put a text in the place of a file's at once, with its mode. Raises OSError."""
    file = file.resolve()  # a link stays one
    descriptor, made = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as to:
            to.write(text)
            to.flush()
            os.fchmod(to.fileno(), file.stat().st_mode & 0o7777)
            os.fsync(to.fileno())
        Path(made).replace(file)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


def _put(lines: list[str], entry: str, atom: Atom) -> None:
    """Add one thing, in the form that its key or table has in the entry."""
    found = places("\n".join(lines))
    own = [at for at, place in enumerate(found) if [name.lower() for name in place[:1]] == [entry]]
    keyed = [at for at in own if found[at][1:2] == (atom.key,)]
    if atom.own is None:
        if keyed:
            lines[keyed[0]] = re.sub(
                r"""(=\s*)("[^"]*"|'[^']*'|[^\s#]+)""",
                lambda match: match[1] + _value(atom.value),
                lines[keyed[0]],
                count=1,
            )
        else:
            _insert(lines, _end(lines, found, (found[own[0]][0],)), f"{atom.key} = {_value(atom.value)}")
        return
    table = next((at for at in keyed if len(found[at]) == 2), None)
    if table is not None and lines[table].lstrip().startswith("["):
        _insert(lines, _end(lines, found, found[table]), _word(atom))
    elif table is not None:
        lines[table] = re.sub(r"\s*,?\s*\}(\s*(?:#.*)?)$", lambda match: f", {_word(atom)} }}{match[1]}", lines[table])
        lines[table] = lines[table].replace("{,", "{", 1)
    elif keyed:
        _insert(lines, keyed[-1], f"{atom.key}.{_word(atom)}")
    else:
        _insert(lines, _end(lines, found, (found[own[0]][0],)), f"{atom.key} = {{ {_word(atom)} }}")


def _end(lines: Sequence[str], found: Sequence[tuple[str, ...]], header: tuple[str, ...]) -> int:
    """The last line with a key below the header of an entry or table, else the header's."""
    heads = (at for at, place in enumerate(found) if place == header and lines[at].lstrip().startswith("["))
    last = start = next(heads, len(lines) - 1)
    for at in range(start + 1, len(lines)):
        if lines[at].lstrip().startswith("["):
            break
        last = at if found[at] else last
    return last


def _insert(lines: list[str], at: int, line: str) -> None:
    lines.insert(at + 1, line)


def _word(atom: Atom) -> str:
    return f"{_text(atom.own or '')} = {_value(atom.value)}"


def _value(value: str | int | bool) -> str:  # noqa: FBT001 -- a value of TOML
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else _text(value)


def _text(text: str) -> str:
    """A basic string of TOML, whose escapes JSON's are."""
    return json.dumps(text, ensure_ascii=False)
