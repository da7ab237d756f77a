"""Tries entries of a dealer on one mail until it reads as its truth says."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from parsers.dealers import Dealers
from parsers.goldform import gold_lines
from parsers.learning.candidates import Candidate, candidates
from parsers.learning.lesson import Atom, Lesson, with_atoms
from parsers.learning.printed import LEVELS, documents_of, figures_of, nowhere
from parsers.parse import parse_mail
from parsers.quotes.context import Dealer
from parsers.scoring.pairing import ROW_FIELDS, Line, instrument, pairs, value
from parsers.taught import Taught

_MOST_STEPS = 8
_SHOWN = 3  # quotes that stay wrong
_KEPT = 60  # candidates that are tried in the second step and later
_MISSING, _FALSE = 6, 2  # as bad as so many wrong fields: a quote that is not found; one that is in no truth


def lesson(raw: bytes, truths: Sequence[Line], taught: Taught, seconds: float) -> Lesson:
    """What would make a mail read so.

    Args:
        raw: the mail.
        truths: all its quotes in the gold form; of each its levels, and the other fields that it names, must be right.
        taught: what users teach now.
        seconds: of CPU, after which no more is tried.
    """
    now = parse_mail(raw, taught)
    sender = (now.quotes[0].sender if now.quotes else None) or now.sender or ""
    entry = taught.dealers.key_of(sender) or sender.rpartition("@")[2]
    dealer = taught.dealers.lookup(sender)
    if dealer is None or not entry:
        return Lesson("", why="the mail has no sender, so no dealer is taught by it")
    documents = documents_of(raw, taught)
    figures = figures_of(documents)
    if not truths or not figures:
        return Lesson(entry, why="a mail without prices teaches nothing")
    for truth in truths:
        if name := nowhere(truth, figures):
            why = f"the truth contradicts the mail: {name} {truth[name]} of {_name(truth)} is nowhere in it"
            return Lesson(entry, why=why)
    tries = _Tries(raw, truths, taught, (entry, dealer), time.process_time() + seconds)
    wrong = tries.wrong(())
    if not tries.distance(()):
        return Lesson(entry)
    found = _search(tries, candidates(truths, documents, now.subject or "", dealer))
    if left := tries.wrong(found):
        nearest = f"; nearest comes {', '.join(map(_told, found))}" if found else ""
        stay = f"{len(left)} quotes stay wrong ({'; '.join(left[:_SHOWN])})"
        why = f"no entry makes the mail read as its truth says: {stay}{nearest}"
        return Lesson(entry, wrong=len(wrong), why=why)
    return Lesson(entry, found, len(wrong))


class _Tries:
    """Reads the mail by one entry after the other."""

    def __init__(
        self, raw: bytes, truths: Sequence[Line], taught: Taught, own: tuple[str, Dealer], until: float
    ) -> None:
        self._raw, self._truths, self._securities = raw, truths, taught.securities
        self._entry, self._dealer = own
        self._until = until
        self._known: dict[frozenset[Atom], int] = {}

    @property
    def are_over(self) -> bool:
        return time.process_time() > self._until

    def distance(self, atoms: Sequence[Atom]) -> int:
        """How far the mail is from its truth, read by an entry with these; 0: it reads so."""
        key = frozenset(atoms)
        if key not in self._known:
            pairs_ = self._pairs(atoms)
            self._known[key] = sum(
                _FALSE if truth is None else _MISSING if found is None else len(_differing(truth, found))
                for truth, found in pairs_
            )
        return self._known[key]

    def wrong(self, atoms: Sequence[Atom]) -> list[str]:
        """The quotes that are read otherwise than the truth says, in words."""
        told = []
        for truth, found in self._pairs(atoms):
            if truth is None and found is not None:
                told.append(f"{_name(found)}: is read and not in the truth")
            elif truth is not None and found is None:
                told.append(f"{_name(truth)}: is not read")
            elif truth is not None and found is not None and (fields := _differing(truth, found)):
                told.append(f"{_name(truth)}: {', '.join(f'{name} {found.get(name)}' for name in fields)}")
        return told

    def _pairs(self, atoms: Sequence[Atom]) -> list[tuple[Line | None, Line | None]]:
        entries = MappingProxyType({self._entry: with_atoms(self._dealer, atoms)})
        outcome = parse_mail(self._raw, Taught(Dealers(entries), self._securities, b"", ""))
        lines = map(json.loads, gold_lines(outcome))
        return pairs(self._truths, [line for line in lines if line["kind"] == "quote"])


def _differing(truth: Line, found: Line) -> list[str]:
    """The fields that are wrong: levels, and what else the truth names."""
    names = [name for name in ROW_FIELDS if name in LEVELS or truth.get(name) is not None]
    wrong = [name for name in names if value(truth, name) != value(found, name)]
    return wrong if _names_all(truth, found) else ["description", *wrong]


def _names_all(truth: Line, found: Line) -> bool:
    """Whether a quote has the truth's identifier, or all of its description: a word of it was taken for none else."""
    wanted, named = instrument(truth), instrument(found)
    is_named = truth.get("instrument_id") is None and found.get("instrument_id") is None
    return wanted == named or (is_named and (wanted or "") in (named or ""))


def _search(tries: _Tries, every: Sequence[Candidate]) -> tuple[Atom, ...]:
    """Atoms, none of which can be left out, that come nearest: one step after the other, each the best of its time."""
    best: tuple[Atom, ...] = ()
    left = tries.distance(best)
    pending = list(every)
    for _ in range(_MOST_STEPS):
        scored = []
        for at, candidate in enumerate(pending):
            if tries.are_over:
                break
            said = _joined(best, candidate)
            scored.append((tries.distance(said), len(said), at, said))
            if scored[-1][0] == 0 and len(candidate) == 1:
                break
        if not scored or min(scored)[0] >= left:
            break
        left, _, _, best = min(scored)
        if left == 0:
            break
        pending = [pending[at] for _, _, at, _ in sorted(scored)[:_KEPT]]
    for atom in best:
        rest = tuple(other for other in best if other != atom)
        if tries.distance(rest) <= left:
            best = rest
    return best


def _joined(said: tuple[Atom, ...], more: Candidate) -> tuple[Atom, ...]:
    """Both; of two values of one key or word the later holds."""
    places = {(atom.key, atom.own): atom for atom in (*said, *more)}
    return tuple(places.values())


def _told(atom: Atom) -> str:
    return f"{atom.key} {atom.value}" if atom.own is None else f"{atom.key} {atom.own!r} = {atom.value!r}"


def _name(line: Mapping[str, object]) -> str:
    return str(line.get("instrument_id") or line.get("description") or "a quote")
