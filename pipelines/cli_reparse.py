"""The command that reads mails again: reparse."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, SinceOption, UntilOption, emit, errors_to_exit_codes
from log.command import settings_and_log
from log.times import timestamp_ms, utc
from pipelines.cli_shadow import emit_differences, row_of
from pipelines.progress import working
from pipelines.summaries import emit_summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import conf
    from log import CommitLog
    from pipelines.readers.selection import Selection
    from pipelines.tables.ranges import OffsetRange


def time_option(text: str) -> Any:
    """A time, UTC, as an option takes it, with a zone."""
    return typer.Option(parser=moment, metavar="TIME", help=text, show_default=False)


def moment(text: str) -> datetime:
    """A time as these options take it. Raises typer.BadParameter."""
    try:
        return utc(timestamp_ms(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def reparse(
    records: Annotated[
        list[str] | None,
        typer.Argument(
            help="TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET or TOPIC:PARTITION:FROM-TO (TO is not taken). "
            "Behind --stale: code. Behind --execute: a shadow.",
            show_default=False,
        ),
    ] = None,
    *,
    message_id: Annotated[str | None, typer.Option(help="Mails with this Message-ID.", show_default=False)] = None,
    sha256: Annotated[
        str | None, typer.Option("--sha256", help="Mails of these bytes, by SHA-256.", show_default=False)
    ] = None,
    sender: Annotated[str | None, typer.Option(help="Mails from this address.", show_default=False)] = None,
    dealer: Annotated[str | None, typer.Option(help="Mails of this dealer.", show_default=False)] = None,
    subject: Annotated[str | None, typer.Option(help="Mails with this in their subject.", show_default=False)] = None,
    state: Annotated[
        str | None, typer.Option(help="Mails that are parsed, parsed_empty or rejected.", show_default=False)
    ] = None,
    code: Annotated[str | None, typer.Option(help="Mails with a reject of this code.", show_default=False)] = None,
    asset_class: Annotated[
        str | None, typer.Option(help="Mails with a quote of this asset class.", show_default=False)
    ] = None,
    region: Annotated[str | None, typer.Option(help="Mails with a quote of this region.", show_default=False)] = None,
    attachment_type: Annotated[
        str | None,
        typer.Option(help="Mails with a part of this type: application/pdf, image/*, xlsx", show_default=False),
    ] = None,
    run: Annotated[str | None, typer.Option(help="Mails that this run has read.", show_default=False)] = None,
    parser_version: Annotated[
        str | None, typer.Option(help="Mails parsed by this version.", show_default=False)
    ] = None,
    stale: Annotated[
        bool,
        typer.Option(
            "--stale",
            help="Mails parsed by any version but the present one; `--stale code`: by other code, data or engines, "
            "whatever was taught.",
        ),
    ] = False,
    since_day: SinceOption = None,
    until_day: UntilOption = None,
    received_from: Annotated[datetime | None, time_option("Received then or later: 2026-11-20T08:00+01:00")] = None,
    received_to: Annotated[datetime | None, time_option("Received before.")] = None,
    quoted_from: Annotated[datetime | None, time_option("With a quote of then or later.")] = None,
    quoted_to: Annotated[datetime | None, time_option("With a quote of before.")] = None,
    allow_gap: Annotated[
        bool,
        typer.Option("--allow-gap", help="Take what the log still has; the rows of other mails stay as they are."),
    ] = False,
    shadow: Annotated[
        bool, typer.Option("--shadow", help="Parse, and show what would change; publish nothing.")
    ] = False,
    execute: Annotated[
        bool, typer.Option("--execute", help="Do it, or publish the shadow that is named. Without, only show the plan.")
    ] = False,
    override: Annotated[
        str | None,
        typer.Option(help="With --execute: why it is published though the gate stops it.", show_default=False),
    ] = None,
    undo: Annotated[
        str | None,
        typer.Option(help="Put the rows back at once that this reparse, or undo, has replaced.", show_default=False),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Parse chosen mails again and replace their rows; shows the plan unless told to --shadow, --execute or --undo.

    Mails are chosen by offsets, by what the tables know of them, or both: all options that are given hold. Filters of
    quotes (--asset-class, --region, --quoted-from, --quoted-to) hold of one quote of the mail.

    --shadow parses, and shows what would change; `--execute SHADOW` publishes that, without parsing again. Where more
    would be lost or changed than [reparse] allows, --execute publishes nothing unless --override says why.

    Examples:
      otclog reparse mails:0:100-200
      otclog reparse --message-id 7f3a@bank.example --execute
      otclog reparse --code TABLE_NOT_RECOGNISED --dealer "Bank A" --shadow
      otclog reparse --execute 20261127T101500-0123abcd
      otclog reparse --stale code --asset-class corp_hy --received-from 2026-11-20T08:00+01:00
      otclog reparse --undo 20261127T101500-0123abcd
    """
    from pipelines.errors import BadSelection
    from pipelines.jobs.reparsing.shadow import expect
    from pipelines.readers.selection import Selection, present

    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, log):
        by_code = stale and records == ["code"]
        names = () if by_code else tuple(records or ())
        if stale and names:
            raise BadSelection(f"{names[0]!r} is not for --stale, which takes nothing, or `code`")
        filters = {
            "message_id": message_id,
            "sha256": sha256,
            "sender": sender,
            "dealer": dealer,
            "subject": subject,
            "attachment_type": attachment_type,
            "parser_version": parser_version,
            "since_day": since_day,
            "until_day": until_day,
            "received_from": received_from,
            "received_to": received_to,
            "quoted_from": quoted_from,
            "quoted_to": quoted_to,
        } | _closed(code, state, asset_class, region)
        shadows, names = _shadows_among(names)
        require_fitting(
            undo=undo,
            others={
                "a shadow": bool(shadows),
                "a selection": bool(shadows) or stale or Selection(names, run, filters).is_given,
                "--shadow": shadow,
                "--execute": execute,
                "--override": override is not None,
                "--allow-gap": allow_gap,
            },
        )
        if override is not None and not override.strip():
            raise BadSelection("--override is blank: it is to say why, for those who look later")
        if undo is not None:
            _undo(settings, undo, as_json=as_json)
            return
        if stale:
            filters["stale"] = present(settings.parsers, code=by_code)
        selection = Selection(names, run and _run_id(settings, run), filters)
        if shadows:
            _execute(settings, log, shadows, selection, override, as_json=as_json, is_told=execute)
            return
        if shadow or execute:
            expect(settings)
        ranges = _chosen(settings, log, selection)
        if allow_gap:
            ranges = _remaining(log, ranges)
        if shadow:
            _make(settings, log, ranges, selection, as_json=as_json)
        elif execute:
            _reparse(settings, log, ranges, selection, override, as_json=as_json)
        else:
            _preview(settings, log, ranges, as_json=as_json)


def require_fitting(*, undo: str | None, others: Mapping[str, bool]) -> None:
    """See that what is given beside each other does one thing. Raises BadSelection."""
    from pipelines.errors import BadSelection

    given = [name for name, is_given in others.items() if is_given]
    if undo is not None and given:
        raise BadSelection(f"--undo puts back all mails of its run, and stands alone: not beside {', '.join(given)}")
    if {"a shadow", "--allow-gap"} <= set(given):
        raise BadSelection("--allow-gap is for records that are chosen now: a shadow has its own already")
    if {"--shadow", "--execute"} <= set(given):
        raise BadSelection("--shadow publishes nothing, --execute publishes: give one of them")
    if "--override" in given and "--execute" not in given:
        raise BadSelection("--override says why --execute is to publish: without that it means nothing")


def _chosen(settings: conf.Settings, log: CommitLog, selection: Selection) -> list[OffsetRange]:
    """The records; ends the command well where no mail is stale, as on most nights. Raises BadSelection."""
    from pipelines.readers.selection import chosen, none_chosen

    ranges = chosen(log, _store(settings), selection)
    if not ranges and selection.is_by("stale"):
        typer.echo("nothing to do: no mail is stale", err=True)
        raise typer.Exit
    if not ranges:
        raise none_chosen(_store(settings), selection)
    return ranges


def _store(settings: conf.Settings) -> Any:
    from pipelines.tables.store.store import store_of

    return store_of(settings.tables)


def _closed(code: str | None, state: str | None, asset_class: str | None, region: str | None) -> dict[str, str | None]:
    """Filters over closed lists, in whatever case they were typed."""
    from parsers.codes import REGIONS, AssetClass, Code, MailState
    from pipelines.readers.selection import one_of

    return {
        "code": one_of("--code", code, Code),
        "state": one_of("--state", state, MailState),
        "asset_class": one_of("--asset-class", asset_class, AssetClass),
        "region": one_of("--region", region, REGIONS),
    }


def _shadows_among(names: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Names of shadows, and of records."""
    from pipelines.jobs.plan import is_run_id

    return [name for name in names if is_run_id(name)], tuple(name for name in names if not is_run_id(name))


def _run_id(settings: conf.Settings, beginning: str) -> str:
    """The whole id of a run."""
    from pipelines.readers.runs import run_named

    return str(run_named(_store(settings), beginning)["run_id"])


def _remaining(log: CommitLog, ranges: list[OffsetRange]) -> list[OffsetRange]:
    """Those records that the log still has; how many it has not is told. Raises NothingToRead where it has none."""
    from pipelines.errors import NothingToRead
    from pipelines.readers.selection import kept

    there = kept(log, ranges)
    if not there:
        raise NothingToRead("none of the records that are chosen is in the log any more")
    if gone := sum(map(len, ranges)) - sum(map(len, there)):
        typer.echo(f"{gone} records are no longer in the log: the rows of their mails stay as they are", err=True)
    return there


def _preview(settings: conf.Settings, log: CommitLog, ranges: Sequence[OffsetRange], *, as_json: bool) -> None:
    from pipelines.jobs.reparsing.reparse import preview

    plan = asdict(preview(settings, log, ranges))
    emit([plan], as_json=as_json, columns=[name for name in plan if name != "ranges"])
    if plan["gone"]:
        typer.echo(
            f"{plan['gone']} of the {plan['records']} records are no longer in the log: --shadow and --execute are "
            "refused, unless --allow-gap takes the rest and leaves the rows of these mails as they are",
            err=True,
        )
        return
    typer.echo("nothing is changed yet: --shadow shows what would change, --execute does it", err=True)


def _make(
    settings: conf.Settings, log: CommitLog, ranges: Sequence[OffsetRange], selection: Selection, *, as_json: bool
) -> None:
    from pipelines.jobs.reparsing.changes import summary
    from pipelines.jobs.reparsing.gate import tripped
    from pipelines.jobs.reparsing.shadow import make

    store = _store(settings)
    with working("parsing into a shadow"):
        made = make(settings, log, ranges, selection.as_json())
    if as_json:
        emit([row_of(made)], as_json=True)
        return
    emit_differences(summary(store, made), tripped(store, made, settings.reparse))
    typer.echo(
        f"shadow {made.id}: `otclog reparse --execute {made.id}` publishes it, `otclog shadow diff {made.id}` shows "
        f"this again, `otclog shadow drop {made.id}` removes it",
        err=True,
    )


def _reparse(
    settings: conf.Settings,
    log: CommitLog,
    ranges: Sequence[OffsetRange],
    selection: Selection,
    override: str | None,
    *,
    as_json: bool,
) -> None:
    from pipelines.jobs.reparsing.reparse import reparse as reparse_ranges

    with working("reparsing"):
        summary = reparse_ranges(settings, log, ranges, selection.as_json(), override)
    emit_summary(summary, as_json=as_json)


def _execute(
    settings: conf.Settings,
    log: CommitLog,
    names: Sequence[str],
    selection: Selection,
    override: str | None,
    *,
    as_json: bool,
    is_told: bool,
) -> None:
    """Publish a shadow, of the same selection where one is given."""
    from pipelines.errors import BadSelection
    from pipelines.jobs.reparsing.reparse import execute
    from pipelines.jobs.reparsing.shadows import one

    if len(names) > 1 or not is_told:
        raise BadSelection(f"{names[0]} is a shadow: `otclog reparse --execute {names[0]}` publishes one at a time")
    found = one(_store(settings), names[0])
    if selection.is_given and selection.as_json() != found.plan.selection:
        raise BadSelection(f"shadow {found.id} is of another selection: {found.plan.selection}")
    with working("publishing the shadow"):
        summary = execute(settings, log, found, override)
    emit_summary(summary, as_json=as_json)


def _undo(settings: conf.Settings, run_id: str, *, as_json: bool) -> None:
    from pipelines.jobs.reparsing.undo import undo

    with working("putting the rows back"):
        summary = undo(settings, run_id)
    emit_summary(summary, as_json=as_json)
    row = summary.row
    typer.echo(
        f"run {row['undoes']} is undone: {row['mails']} mails have the {row['quotes']} quotes and {row['rejects']} "
        f"rejects again that they had before it; `otclog reparse --undo {row['run_id']}` takes that back",
        err=True,
    )
