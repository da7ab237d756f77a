"""The commands `otclog kafka`: what a cluster has to have before otclog runs on it."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, write_lines
from conf.settings import JOURNAL_TOPIC, backfill_group
from log.claims.index import CLAIMS_TOPIC, make_index
from log.command import ExecuteOption, settings_and_log
from log.errors import LogUnusable
from log.groups import GROUPS_TOPIC, make_groups_topic
from log.kafka.acls import ROLES, Named, Role, command_of, grants_of
from log.opslog import PARTITIONS, TOPIC, ensure_topic
from log.reading import has_topic
from log.types import TopicConfig

kafka = typer.Typer(name="kafka", no_args_is_help=True, help="Kafka: the rights that it asks for, the topics to make.")


@kafka.command("acls")
def print_acls(
    role: Annotated[
        str | None, typer.Argument(help="publisher, job, reader or administrator. Default: all.", show_default=False)
    ] = None,
    principal: Annotated[
        str | None, typer.Option(help="Who is to have them. Default: User: and the role's name.", show_default=False)
    ] = None,
    groups: Annotated[
        list[str] | None,
        typer.Option("--group", help="Of this group. Default: those of [extract].", show_default=False),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the least rights of each role, as commands for kafka-acls.sh. No broker is asked.

    publisher: watch, lmtp, import. job: extract, reparse, group rewind, with Spark's source. reader: explain, mail,
    status, log read, group list. administrator: topic, kafka topics, doctor. --json prints one object a right.

    Examples:
      otclog kafka acls
      otclog kafka acls job --principal User:CN=etl --json
    """
    with errors_to_exit_codes():
        settings = conf.load(config)
        wanted = [each for each in ROLES if role in {None, each}]
        if not wanted:
            raise typer.BadParameter(f"{role} is none of {', '.join(ROLES)}", param_hint="role")
        of_jobs = groups or [settings.extract.group, backfill_group(settings.extract.group)]
        messages = () if settings.logging.ops == "off" else (TOPIC,)
        named = Named(tuple(sorted(settings.ingest.topics)), JOURNAL_TOPIC, messages, tuple(of_jobs))
        bootstrap = settings.log.kafka.bootstrap or "HOST:PORT"
        who = {each: principal or f"User:{each}" for each in ROLES}
        if as_json:
            emit((row for each in wanted for row in _rows(each, named, who[each])), as_json=True)
        else:
            listed = [each for one in wanted for each in grants_of(one, named)]
            write_lines(command_of(each, bootstrap, shlex.quote(who[each.role])) for each in listed)


def _rows(role: Role, named: Named, principal: str) -> list[dict[str, str]]:
    return [
        {
            "role": role,
            "principal": principal,
            "resource": each.resource,
            "name": each.name,
            "pattern": "literal",
            "operation": operation,
        }
        for each in grants_of(role, named)
        for operation in each.operations
    ]


@kafka.command("topics")
def make_topics(
    execute: ExecuteOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the topics that the settings name and the groups', for publishers and jobs that may not make any.

    Without --execute nothing is made, and what is missing is shown.

    Examples:
      otclog kafka topics
      otclog kafka topics --execute
    """
    with errors_to_exit_codes(), settings_and_log(config, writes=execute, makes=execute) as (settings, opened):
        if settings.log.backend != "kafka":
            raise LogUnusable(f"backend {settings.log.backend} makes its topics itself, at first use")
        wanted = dict.fromkeys(sorted(settings.ingest.topics), settings.ingest.partitions)
        wanted |= {JOURNAL_TOPIC: 1, GROUPS_TOPIC: 1, CLAIMS_TOPIC: 1}
        if settings.logging.ops != "off":
            wanted[TOPIC] = PARTITIONS
        missing = {topic for topic in wanted if not has_topic(opened, topic)}
        if execute:
            for topic in sorted(missing - {GROUPS_TOPIC, CLAIMS_TOPIC, TOPIC}):
                opened.create_topic(topic, wanted[topic], TopicConfig(mail=topic in settings.ingest.topics))
            make_groups_topic(opened)
            make_index(opened)
            if TOPIC in missing:
                ensure_topic(opened)
        state = "made" if execute else "missing"
        emit([{"topic": topic, "state": state if topic in missing else "there"} for topic in wanted], as_json=as_json)
