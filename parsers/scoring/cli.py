"""`otclog score`: how near the parser comes to a known truth, or to what it read before."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from parsers.checking import check_words
from parsers.cli import named, parsed, settings_or_defaults

if TYPE_CHECKING:  # `otclog` imports this module for each of its commands
    from parsers.scoring.corpus import Report
    from parsers.scoring.differing import Differing
    from parsers.scoring.pairing import Line

_SHOWN = 200  # rows of a table; JSON has all
_MOST = {"instrument": 30, "text": 50}  # cells of a table's row for what mails say
_OF_A_TRUTH = ("truth", "found")
_OF_A_DUMP = ("before", "after")


def score(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Mails with their truth, NAME.eml and NAME.jsonl; with --against mails alone.",
            show_default=False,
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="DUMP",
            help="Compare with what `otclog parse FOLDER --out DUMP` wrote; no truth is asked for.",
            show_default=False,
        ),
    ] = None,
    least: Annotated[
        float | None,
        typer.Option(
            "--min",
            min=0,
            max=1,
            metavar="SHARE",
            help="Fail where `price_exact` of all mails is below this: the share of the truth's quotes that are found "
            "with instrument, type and levels right.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(help="A page to write, FILE.md, with its plot FILE.svg beside it.", show_default=False),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many mails at once.")] = os.cpu_count() or 1,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """How near the parser comes to mails whose truth is known, or what it reads otherwise than it did.

    First the figures, by class, format, language and field; then each quote that is missing, false (in no truth, or
    with another instrument or price) or wrong in another field, with its place, its line, the truth and what was found.

    With --against each row that was added, lost or changed since a dump was written, and how many there are. The exit
    code is 0 where nothing changed, 1 where something did.

    Examples:
      otclog score samples
      otclog score samples --page accuracy.md
      otclog score samples --min 0.99
      otclog score samples --json | jq 'select(.kind == "missing")'
      otclog parse ~/mails --out before && otclog score ~/mails --against before
    """
    with errors_to_exit_codes():
        if against is not None and (least is not None or page is not None):
            raise typer.BadParameter("--min and --page are of a truth, and --against asks for none: leave one out")
        check_words()
        if against is not None:
            is_as_asked = not _compared(folder, against, config, jobs, as_json=as_json)
        else:
            is_as_asked = _scored(folder, least, page, config, jobs, as_json=as_json)
        if not is_as_asked:
            raise typer.Exit(1)


def _scored(
    folder: Path, least: float | None, page: Path | None, config: Path | None, jobs: int, *, as_json: bool
) -> bool:
    """Whether it is good enough."""
    from parsers.goldform import gold_lines
    from parsers.scoring.corpus import cases, report, scored
    from parsers.scoring.rows import rows_of

    known = {case.name: case for case in cases(folder)} if folder.is_dir() else {}
    if not known:
        raise typer.BadParameter(f"{folder}: no folder of mails with their truth, NAME.eml beside NAME.jsonl")
    mails = [(name, folder / f"{name}.eml") for name in known]
    wrongs: list[dict[str, Any]] = []
    results = []
    for name, file, outcome in parsed(mails, settings_or_defaults(config), jobs):
        lines = list(map(json.loads, gold_lines(outcome)))
        results.append(scored(known[name], lines))
        wrongs += _listed(file.name, results[-1].score.wrongs, _OF_A_TRUTH, lines, as_json=as_json)
    made = report(results)
    if page is not None:
        _write_page(page, made, folder, len(known))
    emit(rows_of(made), as_json=as_json, columns=() if as_json else list(next(rows_of(made)))[1:])
    _emit_listed(wrongs, as_json=as_json)
    return least is None or _is_reached(made, least)


def _is_reached(made: Report, least: float) -> bool:
    share = made.total.price_exact_share
    if share is None:
        raise typer.BadParameter(f"--min {least}: the truth has no quote, and no share of none is right")
    if share < least:
        counted = f"{made.total.price_exact} of {made.total.expected} quotes"
        typer.echo(f"otclog: price_exact is {share:.4f} ({counted}), below --min {least}", err=True)
    return share >= least


def _compared(folder: Path, dump: Path, config: Path | None, jobs: int, *, as_json: bool) -> bool:
    """Whether anything changed."""
    from parsers.goldform import gold_lines
    from parsers.scoring.dump import counts, differences, dumped, require_dump_of

    mails = named([folder])
    require_dump_of([name for name, _ in mails], dump)
    rows: list[dict[str, Any]] = []
    found = []
    for name, file, outcome in parsed(mails, settings_or_defaults(config), jobs):
        changed = differences(dumped(dump / f"{name}.jsonl"), list(map(json.loads, gold_lines(outcome))))
        rows += _listed(str(file.relative_to(folder)), changed, _OF_A_DUMP, as_json=as_json)
        found += changed
    _emit_listed(rows, as_json=as_json)
    total = {"kind": "total", "mails": len(mails), "changed_mails": len({row["mail"] for row in rows}), **counts(found)}
    emit([total], as_json=as_json, columns=() if as_json else list(total)[1:])
    return bool(rows)


def _listed(
    mail: str, differing: Iterable[Differing], names: tuple[str, str], beside: Sequence[Line] = (), *, as_json: bool
) -> list[dict[str, Any]]:
    from parsers.scoring.differing import row_of, told

    rows = [(row_of(mail, one, names, beside), one) for one in differing]
    return [row if as_json else told(row, one, names) for row, one in rows]


def _emit_listed(rows: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if not rows:
        return
    if as_json:
        emit(rows, as_json=True)
        return
    typer.echo()
    emit(rows[:_SHOWN], as_json=False, most=_MOST)
    typer.echo()
    if len(rows) > _SHOWN:
        typer.echo(f"only the first {_SHOWN} of {len(rows)} are shown: give --json for all", err=True)


def _write_page(page: Path, made: Report, folder: Path, mails: int) -> None:
    import parsers
    from parsers.scoring.page import CONFIDENCE, plot_svg
    from parsers.scoring.page import page as page_of

    plot = page.with_suffix(".svg")
    command = f"otclog score {folder} --page {page}"
    corpus = f"{mails} mails of `{folder}`"
    _, heading, confidence = (page.read_text("utf-8") if page.is_file() else "").partition(CONFIDENCE)
    text = page_of(made, corpus=corpus, version=parsers.__version__, command=command, plot=plot.name)
    page.write_text(f"{text}{heading}{confidence}", "utf-8")
    plot.write_text(plot_svg(made), "utf-8")
