"""What `otclog parse --out` wrote, and how the rows of a mail differ from it.

Rows are paired as a truth's are with what was found (`pairing`): by the instrument and the place, for the files of a
dump have no keys. A shadow's rows have them, and are compared in SQL (`pipelines.readers.differences`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from parsers.scoring.differing import Differing
from parsers.scoring.pairing import NAMES, ROW_FIELDS, Line, pairs

_KINDS = frozenset({"quote", "reject"})
_OF_A_REJECT = ("level", "code", "detail")


class NoDump(ValueError):
    """It is not what `otclog parse --out` writes, or it is of other mails."""

    exit_code = 2


def require_dump_of(names: Collection[str], dump: Path) -> None:
    """See that a dump is there and has a file for each of these mails, and no other. Raises NoDump."""
    files = {file.stem for file in dump.glob("*.jsonl")} if dump.is_dir() else set()
    if not files:
        raise NoDump(f"{dump}: no folder that `otclog parse --out` wrote, for no NAME.jsonl is in it")
    without, alone = sorted(set(names) - files), sorted(files - set(names))
    if without or alone:
        told = [f"it has no {without[0]}.jsonl (of {len(without)} mails)"] if without else []
        told += [f"its {alone[0]}.jsonl is of no mail here ({len(alone)} such)"] if alone else []
        raise NoDump(f"{dump}: a dump of other mails: {'; '.join(told)}")


def dumped(file: Path) -> list[Line]:
    """The lines of one mail. Raises NoDump."""
    found: list[Line] = []
    for number, text in enumerate(file.read_bytes().splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError as error:
            raise NoDump(f"{file}: line {number} is no JSON: {error}") from error
        if not isinstance(line, dict) or line.get("kind") not in _KINDS:
            raise NoDump(f"{file}: line {number} is no row of `otclog parse --out`: its kind is no quote and no reject")
        found.append(line)
    return found


def differences(before: Sequence[Line], now: Sequence[Line]) -> list[Differing]:
    """What was lost, added and changed between the lines of one mail; their order says nothing."""
    left, right = _without(before, now), _without(now, before)
    quotes = pairs(_of("quote", left), _of("quote", right))
    return [*map(_quote, quotes), *_rejects(_of("reject", left), _of("reject", right))]


def counts(differing: Iterable[Differing]) -> dict[str, int]:
    """How many there are of each kind."""
    told = Counter(one.kind for one in differing)
    return {kind: told[kind] for kind in ("added", "lost", "changed")}


def _quote(pair: tuple[Line | None, Line | None]) -> Differing:
    return _differing(*pair, alone=(*NAMES, *ROW_FIELDS))


def _rejects(before: Iterable[Line], now: Sequence[Line]) -> Iterator[Differing]:
    """Of one place one is the other, in the order in which they are there."""
    left = list(now)
    for one in before:
        other = next((each for each in left if _where(each) == _where(one)), None)
        if other is not None:
            left.remove(other)
        yield _differing(one, other, alone=_OF_A_REJECT)
    yield from (_differing(None, one, alone=_OF_A_REJECT) for one in left)


def _differing(before: Line | None, now: Line | None, *, alone: tuple[str, ...]) -> Differing:
    if before is None or now is None:
        return Differing("added" if before is None else "lost", before, now, alone)
    fields = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    return Differing("changed", before, now, tuple(fields))


def _without(lines: Sequence[Line], others: Sequence[Line]) -> list[Line]:
    """Those that are not word for word among the others, each of which stands for one."""
    there = Counter(map(_text, others))
    left = []
    for line in lines:
        text = _text(line)
        if there[text]:
            there[text] -= 1
        else:
            left.append(line)
    return left


def _text(line: Line) -> str:
    return json.dumps(line, sort_keys=True)


def _of(kind: str, lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if line["kind"] == kind]


def _where(reject: Line) -> tuple[object, ...]:
    return reject.get("level"), reject.get("part_path"), reject.get("locator")
