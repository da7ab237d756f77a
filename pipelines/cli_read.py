"""The commands that read the published tables: prices, rejects, explain. None starts Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import chain, islice
from typing import Annotated, Any

import typer

import conf
from conf.cli import ConfigOption, JsonOption, SinceOption, edge, emit, emit_changes, errors_to_exit_codes, write_lines
from log.claims import open_claims
from log.command import settings_and_log

SHOWN = 50  # rows of a table without --limit

LimitOption = Annotated[
    int | None,
    typer.Option(
        min=1, help=f"At most this many rows. Default: {SHOWN} as a table, all with --json.", show_default=False
    ),
]


def prices(
    *,
    isin: Annotated[str | None, typer.Option(help="With this ISIN.", show_default=False)] = None,
    cusip: Annotated[str | None, typer.Option(help="With this CUSIP.", show_default=False)] = None,
    ticker: Annotated[str | None, typer.Option(help="With this ticker.", show_default=False)] = None,
    dealer: Annotated[
        str | None, typer.Option(help="Of this dealer, as the column shows him.", show_default=False)
    ] = None,
    asset_class: Annotated[str | None, typer.Option("--class", help="corp_ig, govt_us, …", show_default=False)] = None,
    quote_type: Annotated[
        str | None, typer.Option("--type", help="price_pct, yield_pct, …", show_default=False)
    ] = None,
    quote_kind: Annotated[str | None, typer.Option("--kind", help="market, axe, bwic, …", show_default=False)] = None,
    status: Annotated[str | None, typer.Option(help="accepted or review.", show_default=False)] = None,
    currency: Annotated[str | None, typer.Option(help="ISO 4217: EUR, USD, …", show_default=False)] = None,
    region: Annotated[
        str | None, typer.Option(help="europe, north_america, canada, latin_america, …", show_default=False)
    ] = None,
    since_day: SinceOption = None,
    limit: LimitOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the published prices, the latest quoted first, each with its source: topic-partition@offset, part, place.

    A mail that is in the log more than once counts once. Kind and status have columns where a row is not a market, or
    not accepted. --json has every column of the table `quotes`.

    Examples:
      otclog prices
      otclog prices --isin XS2641318121 --since-day 2025-11-03
      otclog prices --class corp_ig --dealer "Bank A" --json
    """
    from parsers.codes import REGIONS, AssetClass, QuoteKind, QuoteType
    from pipelines.readers.near import unknown
    from pipelines.readers.prices import OPEN_LISTS
    from pipelines.readers.prices import prices as published_prices
    from pipelines.readers.selection import one_of
    from pipelines.readers.show import price_lines
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        filters = {
            "isin": isin,
            "cusip": cusip,
            "ticker": ticker,
            "dealer": dealer,
            "asset_class": one_of("--class", asset_class, AssetClass),
            "quote_type": one_of("--type", quote_type, QuoteType),
            "quote_kind": one_of("--kind", quote_kind, QuoteKind),
            "status": one_of("--status", status, ("accepted", "review")),
            "currency": currency,
            "region": one_of("--region", region, REGIONS),
            "since_day": since_day,
        }
        store = store_of(conf.load(config).tables)
        rows = published_prices(store, filters, limit_of(limit, as_json=as_json))
        if not emit_rows(rows, price_lines, "latest quoted", limit, as_json=as_json):
            for why in unknown(store, "quotes", "price", OPEN_LISTS, filters):
                typer.echo(why, err=True)


def rejects(
    *,
    code: Annotated[str | None, typer.Option(help="TABLE_NOT_RECOGNISED, ROW_NO_PRICE, …", show_default=False)] = None,
    level: Annotated[str | None, typer.Option(help="mail, part or row.", show_default=False)] = None,
    unexpected: Annotated[
        bool,
        typer.Option("--unexpected", help="Leave out what needs nobody's attention: parts without quotes, logos, …"),
    ] = False,
    since_day: SinceOption = None,
    limit: LimitOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what was refused, the latest received first, with the reason and the place.

    docs/codes.md says what each code means, which are expected, and what to do about the others.

    Examples:
      otclog rejects
      otclog rejects --unexpected
      otclog rejects --level part --code PASSWORD_PROTECTED --json
    """
    from parsers.codes import EXPECTED_CODES, Code
    from pipelines.readers.rejects import rejects as published_rejects
    from pipelines.readers.selection import one_of
    from pipelines.readers.show import reject_lines
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        filters = {
            "code": one_of("--code", code, Code),
            "level": one_of("--level", level, ("mail", "part", "row")),
            "codes_left_out": sorted(EXPECTED_CODES) if unexpected else None,
            "since_day": since_day,
        }
        rows = published_rejects(store_of(conf.load(config).tables), filters, limit_of(limit, as_json=as_json))
        emit_rows(rows, reject_lines, "latest received", limit, as_json=as_json)


def explain(
    record_id: Annotated[str, typer.Argument(help="The record_id, or its beginning.")],
    shadow: Annotated[
        str | None,
        typer.Option(help="As this shadow would have it, beside what is published.", show_default=False),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show where a price comes from: its mail in the log, its part, its line with the levels marked, its doubts.

    The part is read again, in the sandbox: for the lines or rows around the price, and for what decided how it reads.

    Exit code 1 if the log no longer has that mail, or has another one there.

    Examples:
      otclog explain 3f9ac2
      otclog explain 3f9ac2 --json
      otclog explain 3f9ac2 --shadow 20261127T101500-0123abcd
    """
    from pipelines.jobs.reparsing.shadows import one
    from pipelines.jobs.reparsing.sides import sides
    from pipelines.readers.explain import explain as explain_record
    from pipelines.readers.show import explanation_lines
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        with settings_and_log(config) as (settings, log):
            store, claims = store_of(settings.tables), open_claims(settings.log)
            if shadow is None:
                both, found = None, explain_record(store, log, claims, record_id, settings.parsers)
            else:
                both = sides(store, log, claims, one(store, shadow), record_id, parsers=settings.parsers)
                found = both.explanation
        if as_json:
            told = {name: value for name, value in asdict(both or found).items() if name not in {"row", "explanation"}}
            emit([told if both else found.row | told], as_json=True)
        else:
            write_lines(explanation_lines(found, edge()))
            if both:
                typer.echo(f"\nthe shadow has it {both.kind}: {both.reason}")
                emit_changes(both.fields)
        if not found.mail_is_the_one:
            raise typer.Exit(1)


def limit_of(limit: int | None, *, as_json: bool) -> int | None:
    """How many rows to read: one more than a table without --limit shows, to tell whether there are more."""
    return limit if limit or as_json else SHOWN + 1


def emit_rows(
    rows: Iterator[dict[str, Any]],
    lines: Callable[[Iterable[dict[str, Any]]], list[dict[str, Any]]],
    order: str,
    limit: int | None,
    *,
    as_json: bool,
) -> bool:
    """Rows as they are as JSON, as `lines` in a table; whether there was any."""
    from pipelines.readers.show import MOST

    if as_json:
        first = list(islice(rows, 1))
        emit(chain(first, rows), as_json=True)
        return bool(first)
    shown = list(islice(rows, limit or SHOWN))
    emit(lines(shown), as_json=False, most=MOST)
    if next(rows, None) is not None:
        typer.echo(f"only the {SHOWN} {order} are shown: give --limit, a filter, or --json for all", err=True)
    return bool(shown)
