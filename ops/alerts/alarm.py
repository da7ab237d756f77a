"""What a look finds wrong, and the rules that say what is told of it."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, NamedTuple

from conf.alerting import LIMITS, RuleSettings

if TYPE_CHECKING:
    from conf.alerting import AlertSettings, Kind

Level = Literal["warning", "critical"]

AT_ONCE: frozenset[Kind] = frozenset({"rows", "groups", "claims", "format"})  # one look is sure of these


class Alarm(NamedTuple):
    """One thing that is wrong, as one look found it. Kind and subject say which thing, at every look the same."""

    kind: Kind
    subject: str
    text: str
    level: Level


class Found(NamedTuple):
    """What a look found."""

    alarms: list[Alarm]
    unseen: frozenset[Kind] = frozenset()  # of which nothing could be found out, or was asked: they stay as they are
    broken: tuple[str, ...] = ()  # why not, where something should have been


def rule_of(settings: AlertSettings, kind: Kind, subject: str) -> RuleSettings:
    """The first that fits, or the defaults."""
    fitting = (each for each in settings.rules if each.kind == kind and fnmatchcase(subject, each.subject))
    return next(fitting, RuleSettings(kind=kind))


def limit_of(settings: AlertSettings, kind: Kind, subject: str) -> float:
    """Of a kind that has one."""
    limit = rule_of(settings, kind, subject).limit
    return LIMITS[kind][0] if limit is None else limit


def looks_of(settings: AlertSettings, kind: Kind, subject: str) -> int:
    """How many looks in a row must find it."""
    return rule_of(settings, kind, subject).looks or (1 if kind in AT_ONCE else settings.looks)
