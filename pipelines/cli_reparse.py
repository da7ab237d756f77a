"""The commands that read mails again: reparse; and shadow, what a reparse would change."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, SinceOption, UntilOption, emit, errors_to_exit_codes
from conf.helptext import Group
from log.command import settings_and_log
from log.times import timestamp_ms, utc
from pipelines.progress import working
from pipelines.summaries import emit_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    import conf
    from log import CommitLog
    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.readers.selection import Selection
    from pipelines.tables.ranges import OffsetRange

shadow = typer.Typer(no_args_is_help=True, cls=Group, help="What a reparse would change: list, diff, drop.")


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
        typer.Option(help="Mails with a part of this type: application/pdf, image/*, .xlsx", show_default=False),
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
        str | None, typer.Option(help="Put the rows back that this reparse, or undo, has replaced.", show_default=False)
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
    from pipelines.readers.selection import Selection, chosen, present

    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, log):
        if undo:
            _undo(settings, undo, as_json=as_json)
            return
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
            "stale": present(settings.parsers.dealers, code=by_code) if stale else None,
            "since_day": since_day,
            "until_day": until_day,
            "received_from": received_from,
            "received_to": received_to,
            "quoted_from": quoted_from,
            "quoted_to": quoted_to,
        } | _closed(code, state, asset_class, region)
        shadows, names = _shadows_among(names)
        selection = Selection(names, run, filters)
        if shadows:
            _execute(settings, log, shadows, selection, override, as_json=as_json, is_told=execute)
            return
        if shadow or execute:
            expect(settings)
        ranges = _remaining(log, chosen(log, _store(settings), selection), allow_gap=allow_gap)
        if not ranges:
            typer.echo("no record is chosen", err=True)
        elif shadow:
            _make(settings, log, ranges, selection, as_json=as_json)
        elif execute:
            _reparse(settings, log, ranges, selection, override, as_json=as_json)
        else:
            _preview(settings, log, ranges, as_json=as_json)


@shadow.command("list")
def list_shadows(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show the shadows there are: what was chosen, and how many mails and quotes they have.

    Examples:
      otclog shadow list
    """
    from pipelines.jobs.reparsing.shadows import all_of

    with errors_to_exit_codes(), settings_and_log(config) as (settings, _):
        emit([_row(each) for each in all_of(_store(settings))], as_json=as_json)


@shadow.command()
def diff(
    name: Annotated[str, typer.Argument(metavar="SHADOW", help="Its id, or the beginning of it.")],
    *,
    page: Annotated[
        Path | None, typer.Option(help="Write a page of it, with examples, to this file.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a shadow would change: rows added, lost and changed, by dealer, class, format, reason and field.

    With --json each row that would be another one, with what stands in it before and after.

    Examples:
      otclog shadow diff 20261127T101500-0123abcd
      otclog shadow diff 20261127T101500-0123abcd --json
      otclog shadow diff 20261127T101500-0123abcd --page diff.html
    """
    from pipelines.jobs.reparsing.changes import differing, summary
    from pipelines.jobs.reparsing.gate import tripped
    from pipelines.jobs.reparsing.page import write_page
    from pipelines.jobs.reparsing.shadows import one

    with errors_to_exit_codes(), settings_and_log(config) as (settings, _):
        store = _store(settings)
        found = one(store, name)
        stopped = tripped(store, found, settings.reparse)
        if page:
            write_page(page, found, summary(store, found), stopped, differing(store, found))
        elif as_json:
            emit(differing(store, found), as_json=True)
        else:
            _emit_differences(summary(store, found), stopped)


@shadow.command()
def drop(
    name: Annotated[str, typer.Argument(metavar="SHADOW", help="Its id, or the beginning of it.")],
    config: ConfigOption = None,
) -> None:
    """Remove a shadow and its files; nothing that is published changes.

    Examples:
      otclog shadow drop 20261127T101500-0123abcd
    """
    from pipelines.jobs.reparsing.shadow import drop as drop_shadow
    from pipelines.jobs.reparsing.shadows import id_of

    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, _):
        store = _store(settings)
        drop_shadow(store, id_of(store, name))


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


def _remaining(log: CommitLog, ranges: list[OffsetRange], *, allow_gap: bool) -> list[OffsetRange]:
    """With `allow_gap` those records that the log still has; how many it has not is told."""
    from pipelines.readers.selection import kept

    if not allow_gap:
        return ranges
    there = kept(log, ranges)
    if gone := sum(map(len, ranges)) - sum(map(len, there)):
        typer.echo(f"{gone} records are no longer in the log: the rows of their mails stay as they are", err=True)
    return there


def _preview(settings: conf.Settings, log: CommitLog, ranges: Sequence[OffsetRange], *, as_json: bool) -> None:
    from pipelines.jobs.reparsing.reparse import preview

    plan = asdict(preview(settings, log, ranges))
    emit([plan], as_json=as_json, columns=[name for name in plan if name != "ranges"])
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
        emit([_row(made)], as_json=True)
        return
    _emit_differences(summary(store, made), tripped(store, made, settings.reparse))
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


def _row(made: Shadow) -> dict[str, Any]:
    return {
        "shadow": made.id,
        "made_at": made.made_at,
        "publication": made.plan.shadow_of,
        "selection": made.plan.selection,
        "mails": made.made.counts.mails,
        "quotes_before": sum(each.before for each in made.levels),
        "quotes_after": sum(each.after for each in made.levels),
        "parser_version": made.plan.parser_version,
    }


def _emit_differences(rows: Sequence[dict[str, Any]], stopped: Sequence[object]) -> None:
    emit(rows, as_json=False)
    if not rows:
        typer.echo("no row would be another one", err=True)
    for each in stopped:
        typer.echo(f"the gate stops it: {each}", err=True)
