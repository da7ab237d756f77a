"""The least rights that each role needs of a cluster that authorizes, as ACLs of Kafka's.

Each was found missing by a test that had all others (tests/log/kafka/test_security.py). All but Create and
DescribeConfigs have Describe in them, and AlterConfigs has DescribeConfigs. Nobody needs a right to a
group that no job reads by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from log.claims.index import CLAIMS_TOPIC
from log.groups import GROUPS_TOPIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Role = Literal["publisher", "job", "reader", "administrator"]
Resource = Literal["topic", "group", "transactional-id", "cluster"]
ROLES: tuple[Role, ...] = get_args(Role)
CLUSTER = "kafka-cluster"  # the one name that a cluster has among Kafka's resources
TRANSACTIONAL = "otclog."  # before a group's name: the transactional id of who changes it


class Grants(NamedTuple):
    """What a role may do to one resource."""

    role: Role
    resource: Resource
    name: str
    operations: tuple[str, ...]  # in Kafka's words


class Named(NamedTuple):
    """What the rights are to."""

    mails: tuple[str, ...]  # topics
    journal: str  # the topic
    messages: tuple[str, ...]  # the topic that they go into, if they do
    groups: tuple[str, ...]  # that jobs read by


def grants_of(role: Role, named: Named) -> list[Grants]:
    """One entry a resource.

    publisher: `watch`, `lmtp`, `import`, which find the topics there. job: `extract` and `reparse`, by our client and
    Spark's source, and `group rewind`. reader: `explain`, `mail`, `status`, `log read`, `group list`; `prices` asks no
    broker. administrator: `topic`, `kafka topics`, `doctor`.
    """
    return [Grants(role, *each) for each in _GRANTS[role](named)]


_Grant = tuple[Resource, str, tuple[str, ...]]


def _topics(topics: Iterable[str], *operations: str) -> Iterator[_Grant]:
    for topic in sorted(topics):
        yield "topic", topic, operations


def _publisher(named: Named) -> Iterator[_Grant]:
    yield from _topics(named.mails, "Read", "Write", "DescribeConfigs")
    yield from _topics([named.journal, CLAIMS_TOPIC], "Read", "Write")
    yield from _topics(named.messages, "Write", "DescribeConfigs")


def _job(named: Named) -> Iterator[_Grant]:
    yield from _topics(named.mails, "Read")
    yield from _topics([GROUPS_TOPIC], "Read", "Write")
    yield from _topics(named.messages, "Write", "DescribeConfigs")
    for group in named.groups:
        yield "group", group, ("Read",)
        yield "transactional-id", f"{TRANSACTIONAL}{group}", ("Write",)


def _reader(named: Named) -> Iterator[_Grant]:
    read = [*named.mails, *named.messages, GROUPS_TOPIC]
    yield from _topics(read, "Read", "DescribeConfigs")  # `status` tells of settings, too
    yield "cluster", CLUSTER, ("DescribeConfigs",)
    for group in named.groups:
        yield "group", group, ("Describe",)


def _administrator(named: Named) -> Iterator[_Grant]:
    yield from _topics(named.mails, "Create", "Alter", "AlterConfigs", "Delete")
    yield from _topics([named.journal, CLAIMS_TOPIC], "Create", "Describe", "DescribeConfigs")
    yield from _topics(named.messages, "Create", "DescribeConfigs", "Write")
    yield from _topics([GROUPS_TOPIC], "Create", "DescribeConfigs", "Read")  # who has not read what is to be deleted
    yield "cluster", CLUSTER, ("DescribeConfigs",)


_GRANTS = {"publisher": _publisher, "job": _job, "reader": _reader, "administrator": _administrator}


def command_of(grants: Grants, bootstrap: str, principal: str) -> str:
    """The same as a command of Kafka's."""
    operations = " ".join(f"--operation {each}" for each in grants.operations)
    who = f"--bootstrap-server {bootstrap} --add --allow-principal {principal}"
    named = "--cluster" if grants.resource == "cluster" else f"--{grants.resource} {grants.name}"
    return f"kafka-acls.sh {who} {operations} {named}"
