"""The command that learns a dealer's ways from one mail: learn."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.printable import printable
from conf.process import prepare
from log import is_there, no_log, open_log
from log.command import share_with_log
from pipelines.cli_shadow import emit_differences
from pipelines.errors import NothingLearnt
from pipelines.progress import working

if TYPE_CHECKING:
    import conf
    from log import CommitLog
    from parsers.learning.lesson import Lesson
    from parsers.outcome import MailOutcome
    from parsers.scoring.pairing import Line
    from parsers.taught import Taught, TeachingFiles
    from pipelines.jobs.reparsing.shadows import Shadow

_SHOWN = ("instrument_id", "description", "quote_type", "bid", "ask", "mid", "currency", "asset_class", "raw_text")
_WORSE_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Table:
    """The dealer table as it is and as it would be."""

    file: Path
    text: str
    written: str
    taught: Taught


def learn(
    where: Annotated[
        str, typer.Argument(help="A position (mails:0:17, mails-0@17), a Message-ID, or a file.", show_default=False)
    ],
    *,
    truth: Annotated[
        Path | None,
        typer.Option(help="The mail's quotes, a JSON object a line. Default: asked for.", show_default=False),
    ] = None,
    days: Annotated[int, typer.Option(min=1, help="Try it on the dealer's mails of so many days.")] = 7,
    write: Annotated[bool, typer.Option("--write", help="Write the entry. Default: asked, or only shown.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Though accepted quotes of the dealer's other mails were lost or others.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn from a mail and its truth how its dealer writes: an entry of the dealer table ([parsers] dealers).

    The truth has all quotes of the mail, in the gold form. The smallest entry is looked for by which the mail reads so;
    shown is what it would change in the dealer's mails of the last days, a shadow. Nothing is written where the truth
    contradicts the mail, no entry makes it read so, or accepted quotes of other mails would be lost or others.

    Examples:
      otclog learn mails:0:17
      otclog learn '<20261120.17@dealer.example>' --truth truth.jsonl
      otclog learn strange.eml --truth truth.jsonl --days 30 --write
    """
    with errors_to_exit_codes():
        if truth is None and not sys.stdin.isatty():
            raise typer.BadParameter("name what the mail says, --truth FILE: there is no terminal to ask on")
        settings = prepare(config)
        file = settings.parsers.dealers
        if file is None:
            raise NothingLearnt(
                "there is no dealer table of yours to write to: begin with a copy of conf/dealers.toml, and name it as "
                '`dealers = "dealers.toml"` under [parsers] in otclog.toml'
            )
        with _log_of(settings) as log:
            raw = _mail(settings, log, where)
            lesson = _learnt(settings, raw, truth)
            if not lesson.atoms:
                if as_json:
                    _tell(lesson, None, is_written=False)
                typer.echo("the mail reads so already: there is nothing to learn", err=True)
                return
            table = _with(lesson, settings.parsers, file)
            if not as_json:
                _show(lesson)
            shadow = _tried(settings, log, table.taught, lesson, days, as_json=as_json)
            is_written = False
            try:
                _require_no_worse(settings, shadow, raw, anyway=anyway)
                is_written = write or (sys.stdin.isatty() and typer.confirm(f"write it to {file}?", err=True))
                if is_written:
                    _write(table)
            finally:
                if shadow is not None and not is_written:
                    _drop(settings, shadow)
            if as_json:
                _tell(lesson, shadow, is_written=is_written)
            _say_next(file, shadow, is_written=is_written)


def _log_of(settings: conf.Settings) -> Any:
    """The log, or None where there is none: a file can be learnt from without."""
    if not is_there(settings.log):
        return nullcontext(None)
    opened = open_log(settings.log)
    share_with_log(settings)
    return closing(opened)


def _mail(settings: conf.Settings, log: CommitLog | None, where: str) -> bytes:
    if Path(where).is_file():
        return Path(where).read_bytes()
    from pipelines.readers.mail_at import mail_at, require_place

    require_place(where)
    if log is None:
        raise no_log(settings.log)
    return mail_at(settings, log, where)


def _learnt(settings: conf.Settings, raw: bytes, truth: Path | None) -> Lesson:
    """What the mail and its truth teach. Raises NothingLearnt."""
    from parsers.learning.truth import read_truth
    from parsers.sandbox import Sandbox
    from parsers.sandbox.failures import ChildFailed

    try:
        with Sandbox(settings.parsers) as sandbox:
            truths = read_truth(truth) if truth is not None else _asked(sandbox.parse(raw))
            with working("trying entries"):
                lesson = sandbox.lesson(raw, truths)
    except ChildFailed as error:
        raise NothingLearnt(f"the mail cannot be tried: {error}") from error
    if lesson.why is not None:
        raise NothingLearnt(f"{lesson.why}; nothing is written")
    return lesson


def _asked(outcome: MailOutcome) -> list[Line]:
    """The truth, asked for quote by quote."""
    from parsers.goldform import gold_lines
    from parsers.scoring.pairing import NAMES, ROW_FIELDS

    truths: list[Line] = []
    for line in map(json.loads, gold_lines(outcome)):
        if line["kind"] != "quote":
            continue
        typer.echo(printable("  ".join(f"{name} {line[name]}" for name in _SHOWN if name in line)))
        own = {name: line[name] for name in ("kind", *NAMES, *ROW_FIELDS) if name in line}
        answer = _answer("right (Enter), no quote (-), or what is wrong, as bid=99.5 currency=EUR", own)
        truths += [answer] if answer is not None else []
    while True:
        more = _answer("another quote, as instrument_id=… quote_type=price_pct bid=… ask=…; none (Enter)", {})
        if not more:
            return truths
        truths.append({"kind": "quote", **more})


def _answer(question: str, line: dict[str, Any]) -> dict[str, Any] | None:
    """The line as answered; None of what is no quote."""
    from parsers.learning.truth import BadTruth, typed

    while True:
        words = typer.prompt(question, default="", show_default=False)
        if words in ("", "-"):
            return line if words == "" else None
        try:
            return typed(words, line)
        except BadTruth as error:
            typer.echo(printable(str(error)))


def _with(lesson: Lesson, files: TeachingFiles, file: Path) -> _Table:
    from parsers.dealers import Dealers
    from parsers.learning.writing import with_lesson
    from parsers.taught import Taught

    text = file.read_text("utf-8")
    written = with_lesson(text, lesson)
    return _Table(file, text, written, Taught.of(Dealers.parse(written), Taught.load(files).securities))


def _tried(
    settings: conf.Settings, log: CommitLog | None, taught: Taught, lesson: Lesson, days: int, *, as_json: bool
) -> Shadow | None:
    """The dealer's mails of late, read by the new entry, shown; None where there are none."""
    from pipelines.jobs.reparsing.changes import summary
    from pipelines.jobs.reparsing.gate import tripped
    from pipelines.jobs.reparsing.shadow import make
    from pipelines.jobs.reparsing.taught import mails_of
    from pipelines.tables.store.store import store_of

    dealer = taught.dealers.entries[lesson.entry].name
    since = datetime.now(UTC).replace(microsecond=0) - timedelta(days=days)
    ranges, selection = mails_of(settings, log, dealer, since) if log is not None else ([], "")
    if log is None or not ranges:
        typer.echo(printable(f"no mail of {dealer} was read in {days} days: it is tried on no other"), err=True)
        return None
    with working("parsing the dealer's mails into a shadow"):
        shadow = make(settings, log, ranges, selection, taught)
    if not as_json:
        store = store_of(settings.tables)
        typer.echo(
            printable(f"in {shadow.made.counts.mails} mails of {dealer} of {days} days it would change:"), err=True
        )
        emit_differences(summary(store, shadow), tripped(store, shadow, settings.reparse))
    return shadow


def _require_no_worse(settings: conf.Settings, shadow: Shadow | None, raw: bytes, *, anyway: bool) -> None:
    """Raise NothingLearnt where other mails of the dealer would be read worse."""
    from pipelines.jobs.reparsing.taught import worsened
    from pipelines.tables.store.store import store_of

    if shadow is None or anyway:
        return
    worse = worsened(store_of(settings.tables), shadow, hashlib.sha256(raw).hexdigest())
    if worse:
        told = "; ".join(f"{row['kind']}: {row['raw_text']}" for row in worse[:_WORSE_SHOWN])
        raise NothingLearnt(
            f"{len(worse)} accepted quotes of the dealer's other mails would be lost or others ({told}); nothing is "
            "written, unless --anyway says that they were wrong"
        )


def _write(table: _Table) -> None:
    from parsers.learning.writing import write

    if table.file.read_text("utf-8") != table.text:
        raise NothingLearnt(f"{table.file} was changed meanwhile: nothing is written; try again")
    write(table.file, table.written)


def _drop(settings: conf.Settings, shadow: Shadow) -> None:
    from pipelines.jobs.reparsing.shadow import drop
    from pipelines.tables.store.store import store_of

    drop(store_of(settings.tables), shadow.id)


def _show(lesson: Lesson) -> None:
    from parsers.learning.writing import as_toml

    for line in as_toml(lesson).splitlines():
        typer.echo(printable(line))


def _tell(lesson: Lesson, shadow: Shadow | None, *, is_written: bool) -> None:
    """As JSON."""
    from parsers.learning.writing import as_toml

    said = {"entry": lesson.entry, "wrong": lesson.wrong, "toml": as_toml(lesson) if lesson.atoms else None}
    kept = shadow.id if shadow is not None and is_written else None
    emit([{**said, "written": is_written, "shadow": kept}], as_json=True)


def _say_next(file: Path, shadow: Shadow | None, *, is_written: bool) -> None:
    if not is_written:
        typer.echo(f"nothing is written: --write writes it to {file}", err=True)
    elif shadow is None:
        typer.echo(f"{file} has it; the next run follows it", err=True)
    else:
        typer.echo(
            f"{file} has it; `otclog reparse --execute {shadow.id}` gives the mails of late their new rows", err=True
        )
