"""Users of a broker that authorizes: each may do just what it is given, and has settings, folders and tables of its own."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Any

from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._acl import AclBinding, AclBindingFilter, AclOperation, AclPermissionType
from confluent_kafka.admin._resource import ResourcePatternType, ResourceType
from confluent_kafka.admin._scram import ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion
from typer.testing import CliRunner, Result

from conf.settings import JOURNAL_TOPIC
from log.kafka import errors
from log.kafka.acls import Named, Role, grants_of
from otclog import app
from tests.brokers import addresses
from tests.log.kafka.faults.misfortunes import until

NAMED = Named(("mails", "mails-backfill"), JOURNAL_TOPIC, (), ("extract",))
OPERATIONS = {"AlterConfigs": AclOperation.ALTER_CONFIGS, "DescribeConfigs": AclOperation.DESCRIBE_CONFIGS}
RESOURCES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactional-id": ResourceType.TRANSACTIONAL_ID,
    "cluster": ResourceType.BROKER,
}
Right = tuple[str, str, str]  # kind of resource, its name, operation
_users = itertools.count()


def rights_of(role: Role, messages: tuple[str, ...] = ()) -> list[Right]:
    grants = grants_of(role, NAMED._replace(messages=messages))
    return [(each.resource, each.name, one) for each in grants for one in each.operations]


class Desk:
    """A user of the broker who may do just this, with settings, folders and tables of its own."""

    def __init__(self, secure: Path, admin: AdminClient, folder: Path, rights: list[Right]) -> None:
        self.user = f"user{next(_users)}"
        self.folder, self._admin = folder / self.user, admin
        (self.folder / "mail" / "new").mkdir(parents=True)
        credentials = self.folder / "credentials"
        credentials.write_text(f"username={self.user}\npassword=secret\n")
        credentials.chmod(0o600)
        self.file = self.folder / "otclog.toml"
        self.file.write_text(f"""
            [log]
            backend = "kafka"
            claims = ["{secure / "claims"}"]
            [log.kafka]
            bootstrap = "{addresses(secure)}"
            security = "scram"
            ca = "{secure / "secure" / "ca.pem"}"
            credentials = "credentials"
            [[ingest.sources]]
            path = "mail"
            kind = "maildir"
            [extract]
            small_mails = 0
            """)
        info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
        user = UserScramCredentialUpsertion(self.user, info, b"secret")
        admin.alter_user_scram_credentials([user])[self.user].result()
        described: Any = admin.describe_user_scram_credentials
        until(lambda: described([self.user])[self.user].exception() is None)
        self.allow(*rights)

    def allow(self, *rights: Right) -> None:
        """It may do this, too: the broker has heard of it, and not the controller alone, which answers."""
        acls = [self._acl(*each) for each in rights]
        for told in self._admin.create_acls(acls).values() if acls else ():
            told.result()
        theirs = self._acls_of(f"User:{self.user}")
        until(lambda: set(acls) <= set(self._admin.describe_acls(theirs).result()))

    @staticmethod
    def _acls_of(user: str) -> AclBindingFilter:
        kind, pattern = ResourceType.ANY, ResourcePatternType.ANY
        anything: Any = None
        return AclBindingFilter(kind, anything, pattern, user, anything, AclOperation.ANY, AclPermissionType.ANY)

    def _acl(self, resource: str, name: str, operation: str) -> AclBinding:
        allowed = OPERATIONS.get(operation) or AclOperation[operation.upper()]
        kind, pattern = RESOURCES[resource], ResourcePatternType.LITERAL
        return AclBinding(kind, name, pattern, f"User:{self.user}", "*", allowed, AclPermissionType.ALLOW)

    def run(self, *words: str) -> Result:
        errors._noted.clear()
        return CliRunner().invoke(app, [*words, "--config", str(self.file)])

    def work(self, role: Role) -> list[Result]:
        """What the role is for, until something fails."""
        for name in ("1", "2"):
            mail = f"From: {name}@bank.example\nSubject: {self.user} {name}\n\nBLDR 6.375 06/32 102.25/102.75\n"
            (self.folder / name).write_text(
                mail + ("." * 70 + "\n") * (12_000 if name == "2" else 0)
            )  # that is a claim
        if role == "publisher":
            shutil.copy(self.folder / "1", self.folder / "mail" / "new" / "1")
        done: list[Result] = []
        for words in WORK[role]:
            done.append(self.run(*(word.format(home=self.folder) for word in words)))
            if done[-1].exit_code:
                break
        return done


# Of a reader and an administrator what needs the most comes first: where a right is missing, mostly nothing else is run.
WORK: dict[Role, list[tuple[str, ...]]] = {
    "publisher": [("watch", "--once"), ("import", "{home}/1", "{home}/2"), ("log", "tend")],
    "job": [
        *(("group", "rewind", "extract", topic, "--to-earliest", "--new", "--execute") for topic in NAMED.mails),
        ("extract", "--max-mails", "1"),
    ],
    "reader": [
        ("status",),
        ("group", "lag", "extract"),
        ("mail", "mails:0:0", "--raw"),
        ("log", "read", "--topic", "mails"),
        ("group", "list"),
    ],
    "administrator": [
        ("kafka", "topics", "--execute"),
        ("topic", "alter", "mails-backfill", "--partitions", "5"),
        ("topic", "alter", "mails-backfill", "--retention", "90d"),
        ("topic", "delete-records", "mails", "--partition", "0", "--before", "1", "--execute"),
        ("topic", "delete", "mails-backfill", "--execute"),
        ("doctor",),
    ],
}
