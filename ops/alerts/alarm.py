"""What a look finds wrong, and the rules that say what is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, NamedTuple

from conf.alerting import LIMITS, RuleSettings

if TYPE_CHECKING:
    from datetime import datetime

    from conf.alerting import AlertSettings, Kind

Level = Literal["warning", "critical"]

AT_ONCE: frozenset[Kind] = frozenset({"rows", "groups", "claims", "format"})  # one look is sure of these


class Alarm(NamedTuple):
    """One thing that is wrong, as one look found it. Kind and subject say which thing, at every look the same."""

    kind: Kind
    subject: str
    text: str
    level: Level


Since = Mapping[tuple["Kind", str], "datetime"]
"""Since when alarms fire, by kind and subject."""


class Thing(NamedTuple):
    """Alarms of which nothing is known."""

    kind: Kind
    pattern: str = "*"  # of their subjects


class Found(NamedTuple):
    """What a look found."""

    alarms: list[Alarm]
    unseen: frozenset[Thing] = frozenset()  # what could not be asked: it stays as it is
    broken: tuple[str, ...] = ()  # why not, where nothing else tells

    def is_unseen(self, kind: Kind, subject: str) -> bool:
        """Whether nothing could be found out of it."""
        return any(each.kind == kind and fnmatchcase(subject, each.pattern) for each in self.unseen)


def rule_of(settings: AlertSettings, kind: Kind, subject: str) -> RuleSettings:
    """The first that fits, or the defaults."""
    fitting = (each for each in settings.rules if each.kind == kind and fnmatchcase(subject, each.subject))
    return next(fitting, RuleSettings(kind=kind))


def bound_of(settings: AlertSettings, kind: Kind, subject: str) -> float | None:
    """Its limit; None of a kind that has none."""
    return limit_of(settings, kind, subject) if kind in LIMITS else None


def limit_of(settings: AlertSettings, kind: Kind, subject: str) -> float:
    """Of a kind that has one."""
    limit = rule_of(settings, kind, subject).limit
    return LIMITS[kind][0] if limit is None else limit


def looks_of(settings: AlertSettings, kind: Kind, subject: str) -> int:
    """How many looks in a row must find it."""
    return rule_of(settings, kind, subject).looks or (1 if kind in AT_ONCE else settings.looks)
