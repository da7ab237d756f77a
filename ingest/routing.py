"""Which topic a mail goes to: rules in their order, the first whose every condition holds; else the default topic.

Patterns are RE2's: they search in linear time whatever the mail says, and know no look-around and no back-references.
They see a header's value unfolded, decoded (RFC 2047), and cut at headers.FIELD_BYTES bytes.
"""

from __future__ import annotations

import logging
from email.errors import MessageError
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import re2

from conf.printable import counted
from conf.settings import ConfigError
from ingest.attachments import Attachment, attachments
from ingest.headers import decoded, fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conf.settings import RouteSettings
    from ingest.mail import Mail

logger = logging.getLogger(__name__)

DEFAULT = "default"  # the route of a mail that no rule matches
SHOWN = 60  # characters of a value in an explanation
# What Python raises over a mail that nobody thought of; reading the mail raises OSError, giving up an error of its own.
UNFORESEEN = (ArithmeticError, AttributeError, LookupError, MessageError, RuntimeError, TypeError, ValueError)


class Route(NamedTuple):
    """Where a mail goes."""

    name: str
    topic: str | None  # None: nowhere
    drop: str = ""  # why


class Answer(NamedTuple):
    """What a condition, or a rule, says of a mail."""

    holds: bool
    why: str


class Explained(NamedTuple):
    """A rule and what it says of a mail; `holds` is None for rules that come after the first match."""

    rule: str
    holds: bool | None
    why: str
    end: str  # where the rule sends mails


class Router:
    """The rules. Raises ConfigError for a pattern that is none."""

    def __init__(self, routes: Sequence[RouteSettings], default_topic: str) -> None:
        self._rules = [(Route(rule.name, rule.topic, rule.drop or ""), list(_conditions(rule))) for rule in routes]
        self._default = Route(DEFAULT, default_topic)

    @property
    def topics(self) -> list[str]:
        """Every topic that a mail can go to, the default first."""
        ends = [self._default, *(route for route, _ in self._rules)]
        return list(dict.fromkeys(route.topic for route in ends if route.topic is not None))

    def route(self, mail: Mail) -> Route:
        """Where the mail goes.

        A mail over which a rule fails goes the default way, and that is logged: it must not stop all that come after.
        Raises what reading the mail raises.
        """
        facts = _Facts(mail)
        try:
            return next(
                (route for route, conditions in self._rules if all(condition(facts).holds for condition in conditions)),
                self._default,
            )
        except UNFORESEEN:
            said = "%s: %a: the rules fail over this mail; it goes the default way"
            logger.exception(said, mail.source, mail.name, extra=mail.about())
            return self._default

    def explain(self, mail: Mail) -> list[Explained]:
        """Every rule in its order, the default last, and why it did or did not match."""
        facts = _Facts(mail)
        rows: list[Explained] = []
        for route, conditions in [*self._rules, (self._default, [])]:
            end = f"drop: {route.drop}" if route.topic is None else f"topic {route.topic}"
            if any(row.holds for row in rows):
                rows.append(Explained(route.name, None, "an earlier rule matched", end))
                continue
            answers = [condition(facts) for condition in conditions]
            wrong = [answer.why for answer in answers if not answer.holds]
            why = "; ".join(wrong or [answer.why for answer in answers]) or "no condition"
            rows.append(Explained(route.name, not wrong, why, end))
        return rows


class _Facts:
    """What rules ask of a mail, found once and only if asked."""

    def __init__(self, mail: Mail) -> None:
        self.mail = mail
        self._headers: dict[str, list[str]] = {}

    @cached_property
    def attachments(self) -> list[Attachment]:
        return list(attachments(self.mail.chunks()))

    def header(self, name: str) -> list[str]:
        if name not in self._headers:
            self._headers[name] = [decoded(value) for value in fields(self.mail.head, name)]
        return self._headers[name]


def _conditions(rule: RouteSettings) -> Iterator[Callable[[_Facts], Answer]]:
    """Cheap ones first."""
    if rule.source is not None:
        yield _source(rule.source)
    if rule.min_bytes is not None or rule.max_bytes is not None:
        yield _size(rule.min_bytes, rule.max_bytes)
    for name, pattern in rule.headers.items():
        yield _header(rule.name, name, pattern)
    if rule.has_attachment is not None:
        yield _has_attachment(rule.has_attachment)
    if rule.attachment_type:
        yield _attachment_type([each.lower() for each in rule.attachment_type])


def _source(glob: str) -> Callable[[_Facts], Answer]:
    def ask(facts: _Facts) -> Answer:
        holds = fnmatchcase(facts.mail.source, glob)
        return Answer(holds, f"source {facts.mail.source} {'is' if holds else 'is not'} {glob}")

    return ask


def _size(least: int | None, most: int | None) -> Callable[[_Facts], Answer]:
    def ask(facts: _Facts) -> Answer:
        size = facts.mail.size
        if least is not None and size < least:
            return Answer(False, f"{size} bytes are fewer than {least}")
        if most is not None and size > most:
            return Answer(False, f"{size} bytes are more than {most}")
        return Answer(True, f"{size} bytes are within the bounds")

    return ask


def _header(rule: str, name: str, text: str) -> Callable[[_Facts], Answer]:
    options = re2.Options()
    options.log_errors = False
    try:
        pattern = re2.compile(text, options)
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace")
        raise ConfigError(f"[[ingest.routes]] {rule}: headers.{name} = {text!r} is no RE2 pattern: {why}") from error

    def ask(facts: _Facts) -> Answer:
        values = facts.header(name)
        for value in values:
            if pattern.search(value):
                return Answer(True, f"{name} {_shown(value)} matches {text}")
        seen = ", ".join(map(_shown, values[:3]))
        return Answer(False, f"{name} {seen} does not match {text}" if values else f"there is no {name}")

    return ask


def _has_attachment(wanted: bool) -> Callable[[_Facts], Answer]:  # noqa: FBT001 -- the setting's value
    def ask(facts: _Facts) -> Answer:
        count = len(facts.attachments)
        return Answer(bool(count) == wanted, counted(count, "attachment"))

    return ask


def _attachment_type(wanted: Sequence[str]) -> Callable[[_Facts], Answer]:
    def ask(facts: _Facts) -> Answer:
        for part in facts.attachments:
            for each in wanted:
                if part.name.lower().endswith(each) if each.startswith(".") else fnmatchcase(part.content_type, each):
                    return Answer(True, f"attachment {_shown(part.name)} ({part.content_type}) is {each}")
        found = ", ".join(f"{_shown(part.name)} ({part.content_type})" for part in facts.attachments[:3])
        return Answer(False, f"of the attachments {found or '(none)'} none is {' or '.join(wanted)}")

    return ask


def _shown(value: str) -> str:
    return repr(value if len(value) <= SHOWN else value[:SHOWN] + "…")
