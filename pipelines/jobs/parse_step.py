"""The one step in Python: records in, outcomes out, both as Arrow batches, in Spark's tasks (`mapInArrow`) or here."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from log.claims import open_claims
from log.errors import ClaimUnavailable
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.spark.tasks import LINES, as_lines, attempt, telling_host
from pipelines.jobs.staged import RECORD, as_line, from_line, stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from conf.settings import LogSettings, ParserSettings, Settings
    from parsers.outcome import MailOutcome
    from parsers.quote import Quote
    from parsers.sandbox import Sandbox
    from parsers.taught import Taught
    from pipelines.jobs.staged import StagedFile
    from pipelines.tables.store.interface import Store


@dataclass(frozen=True, slots=True)
class Parser:
    """What the step needs of the parsers."""

    parse: Callable[[bytes], MailOutcome]
    parse_claimed: Callable[[bytes], MailOutcome]  # the same for the mail that a claim stands for
    version: str  # what the outcomes of mails say that `parse` fails on


_warm: dict[tuple[LogSettings, ParserSettings, str], tuple[Sandbox, Parser]] = {}  # the last run's, in this process


def staged(
    records: DataFrame, settings: Settings, taught: Taught, version: str, folder: tuple[Store, str]
) -> list[StagedFile]:
    """Parse each record, and write its outcome into a file of the `folder` of a store, one a task.

    Records have the columns of RECORD, `value` (the raw mail, or its claim), and `is_claim`. A worker, or a child of
    its, whose parser version is not `version` fails with ParserChanged.
    """
    parser = partial(_parser, settings.log, settings.parsers, taught, version)
    task = partial(_in_worker, parser, *folder)
    return [from_line(row["line"]) for row in records.mapInArrow(task, LINES).collect()]


def staged_here(
    batches: Iterable[pa.RecordBatch], settings: Settings, taught: Taught, version: str, folder: tuple[Store, str]
) -> list[StagedFile]:
    """The same in this process, of batches with these columns. Its warm children stay for the next run."""
    store, name = folder
    made = stage(parse_batches(_parser(settings.log, settings.parsers, taught, version), batches), store, f"{name}/0")
    return [made] if made else []


def warm_up(settings: Settings, taught: Taught, version: str) -> None:
    """For who calls `staged_here` with these a little later: the child that will parse starts meanwhile."""
    _parser(settings.log, settings.parsers, taught, version)


def parse_batches(parser: Parser, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Outcomes of each batch of records. A mail that fails costs its own row, never the batch."""
    for batch in batches:
        positions = [batch.column(name) for name in RECORD.names]
        values = [value.as_py() or b"" for value in batch.column("value")]
        claimed, received = batch.column("is_claim").to_pylist(), batch.column("received_ts").to_pylist()
        outcomes = [_outcome(parser, *record) for record in zip(values, claimed, received, strict=True)]
        try:
            yield outcome_batch(positions, outcomes)
        except Exception:  # noqa: BLE001 -- one outcome does not fit its columns: find it, keep the others
            for row, outcome in enumerate(outcomes):
                yield _one_row(parser, [column.slice(row, 1) for column in positions], outcome)


def _in_worker(
    parser: Callable[[], Parser], store: Store, folder: str, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    with telling_host():
        made = stage(parse_batches(parser(), batches), store, f"{folder}/{attempt()}.parquet")
    if made:
        yield as_lines([as_line(made)])


def _parser(log: LogSettings, parsers: ParserSettings, taught: Taught, version: str) -> Parser:
    """One warm child a Python worker: Spark keeps its workers from task to task, and the child dies with its parent.

    A run that was taught something else than the one before has new children.
    """
    from parsers.sandbox import Sandbox
    from parsers.sandbox.failures import ParserChanged
    from pipelines.jobs.claimed import ClaimedMails

    told = (log, parsers, taught.digest)
    if told not in _warm:
        for sandbox, _ in _warm.values():
            sandbox.close()
        _warm.clear()
        sandbox = Sandbox(parsers, taught)
        sandbox.warm_up()
        claimed = ClaimedMails(open_claims(log), sandbox.parse, taught)
        _warm[told] = sandbox, Parser(sandbox.parse, claimed.parse, sandbox.parser_version)
    _, parser = _warm[told]
    if parser.version != version:
        raise ParserChanged(f"the parsers of the workers are {parser.version}, and the run is planned for {version}")
    return parser


def _outcome(parser: Parser, value: bytes, is_claim: bool, received_ts: datetime) -> MailOutcome:  # noqa: FBT001 -- a column
    from parsers.sandbox.failures import ParserChanged, StartFailed

    try:
        outcome = (parser.parse_claimed if is_claim else parser.parse)(value)
        if all(quote.quote_ts and quote.quote_date for quote in outcome.quotes):
            return outcome
        return replace(outcome, quotes=tuple(_dated(quote, received_ts) for quote in outcome.quotes))
    except (StartFailed, ParserChanged, ClaimUnavailable):
        raise  # no fault of the mail: the run fails, and is done again
    except Exception as error:  # noqa: BLE001 -- a poison mail is an outcome
        return _failed(parser, hashlib.sha256(value).hexdigest(), len(value), error)


def _dated(quote: Quote, received_ts: datetime) -> Quote:
    """A quote of a mail without a date was made when it was received (spec 2.3)."""
    from parsers.quotes.keys import dedupe_key

    if quote.quote_ts and quote.quote_date:
        return quote
    dated = replace(quote, quote_ts=quote.quote_ts or received_ts, quote_date=quote.quote_date or received_ts.date())
    return replace(dated, dedupe_key=dedupe_key(dated, dated.instrument_key))


def _one_row(parser: Parser, position: list[pa.Array], outcome: MailOutcome) -> pa.RecordBatch:
    try:
        return outcome_batch(position, [outcome])
    except Exception as error:  # noqa: BLE001 -- this is the one that does not fit
        return outcome_batch(position, [_failed(parser, outcome.message_key, outcome.size_bytes, error)])


def _failed(parser: Parser, key: str, size: int, error: Exception) -> MailOutcome:
    """The outcome of a mail that the parsers failed on, which is a defect of theirs."""
    from parsers.codes import Code
    from parsers.parse import unparsed

    return unparsed(key, size, parser.version, Code.PARSER_ERROR, f"{type(error).__name__}: {error}"[:200])
