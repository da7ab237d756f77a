"""Outcomes by hand, for what stands between parsers and tables; and a log of real mails, for all that runs on one."""

from __future__ import annotations

import itertools
import json
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner, Result

import conf
from log import CommitLog, Record, TopicPartition, open_log
from log.disk.files import make_folder
from otclog import app
from parsers.codes import AssetClass, Code, Flag, MailState, PartState, Side
from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.quote import Quote
from pipelines.jobs.extract import extract
from pipelines.tables.publication import latest, table_of
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.interface import Store
from pipelines.tables.store.store import store_of
from pipelines.tables.versions import ADDED
from tests.pipelines.stores import behind, bucket, no_keys_of_the_machine, proxy, publish_now, s3, store, url

__all__ = ["behind", "bucket", "no_keys_of_the_machine", "proxy", "s3", "store", "url"]  # fixtures

QUOTED = datetime(2025, 11, 3, 9, 30, tzinfo=UTC)
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TOPIC = "mails"

NO_DATE = (
    b"From: desk@bank.example\r\nSubject: HY run\r\n\r\nBLDR 6.375 06/32 102.25/102.75\r\nCHTR 4.5 32 86.25/86.75\r\n"
)
NAMES = (
    "ust_run_text",
    "ig_eur_sheet_xlsx",
    "hy_de_html",
    "ig_eur_de_csv",
    "cds_run_text",
    "clo_bwic_list_text",
    "bad_empty",
    "bad_encrypted_xlsx",
)


@pytest.fixture
def quote() -> Quote:
    return Quote(
        instrument_id="XS2641318121",
        id_type="isin",
        isin="XS2641318121",
        instrument_key="isin:XS2641318121",
        description="ACME 4.25 05/34",
        asset_class=AssetClass("corp_ig"),
        side=Side.two_way,
        bid=Decimal("98.25"),
        ask=Decimal("98.75"),
        bid_raw="98.25",
        ask_raw="98.75",
        bid_size=Decimal(5_000_000),
        flags=(Flag.ccy_assumed, Flag.size_unit_assumed),
        quote_ts=QUOTED,
        quote_ts_source="header",
        quote_date=date(2025, 11, 3),
        message_id="1@bank.example",
        message_key="a" * 64,
        part_path="1",
        raw_text="ACME 4.25 05/34\t98.25\t98.75",
        parser="text",
        parser_version="1.0.0",
        record_id="b" * 64,
        line_key="c" * 64,
        dedupe_key="d" * 64,
    )


@pytest.fixture
def outcome(quote: Quote) -> Callable[..., MailOutcome]:
    """A parsed mail with these quotes (default: one)."""

    def make(*quotes: Quote) -> MailOutcome:
        return MailOutcome(
            message_key="a" * 64,
            message_id="1@bank.example",
            state=MailState.parsed,
            sender="desk@bank.example",
            sent_at=QUOTED,
            date_text="Mon, 3 Nov 2025 09:30:00 +0000",
            size_bytes=1234,
            parser_version="1.0.0",
            parts=(PartOutcome(part_path="1", state=PartState.parsed, content_type="text/plain", quotes=1),),
            quotes=quotes or (quote,),
            rejects=(Reject(level="row", code=Code.ROW_NO_PRICE, part_path="1", locator="line 8", raw_text="no bid"),),
        )

    return make


def in_order(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows in an order of their own, whoever read them."""
    return sorted(rows, key=lambda row: repr({name: value for name, value in row.items() if name != "received_ts"}))


@pytest.fixture
def positions() -> Callable[[int], list[pa.Array]]:
    """Columns topic to received_ts of so many mails."""

    def make(mails: int) -> list[pa.Array]:
        return [
            pa.array([TOPIC] * mails),
            pa.array([0] * mails, pa.int32()),
            pa.array(range(mails), pa.int64()),
            pa.array([QUOTED] * mails, pa.timestamp("us", "UTC")),
        ]

    return make


@dataclass(frozen=True, slots=True)
class Home:
    """A log of real mails that tests share, and tables of a test's own."""

    settings: conf.Settings
    log: CommitLog
    group: str  # of the test's own
    file: Path  # the log's settings
    topic: str = TOPIC

    @property
    def tables(self) -> Path:
        """The folder of the tables."""
        assert isinstance(self.settings.tables.root, Path)
        return self.settings.tables.root

    @property
    def store(self) -> Store:
        return store_of(self.settings.tables)

    @property
    def ends(self) -> dict[TopicPartition, int]:
        """Where a group that has read all stands."""
        spans = {TopicPartition(TOPIC, info.partition): info.high_watermark for info in self.log.describe(TOPIC)}
        return {source: end for source, end in spans.items() if end}

    @property
    def starts(self) -> dict[TopicPartition, int]:
        """Where a group that has begun, and read nothing, stands."""
        return {TopicPartition(TOPIC, info.partition): info.start for info in self.log.describe(TOPIC)}

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The published rows."""
        rows = table_of(self.store, latest(self.store), table).to_pyarrow_dataset().to_table().to_pylist()
        return in_order(rows)

    def outcomes(self) -> dict[str, list[dict[str, Any]]]:
        """What must be the same however often the records were extracted."""
        return {table: self.rows(table) for table in ("quotes", "mails", "parts", "rejects")}


@pytest.fixture(scope="session")
def mails() -> list[bytes]:
    """Real mails, broken ones, one that came twice, one without a date: 12 in all."""
    samples = [(SAMPLES / f"{name}.eml").read_bytes() for name in NAMES]
    return [*samples, b"\x00\xff\xfe junk \x80" * 20, NO_DATE, samples[0], b""]


@pytest.fixture(scope="session")
def shared_log(
    tmp_path_factory: pytest.TempPathFactory, mails: list[bytes]
) -> Iterator[tuple[conf.Settings, CommitLog]]:
    folder = tmp_path_factory.mktemp("log")
    file = folder / "otclog.toml"
    file.write_text("[log]\n[[ingest.sources]]\npath = 'mail'\nkind = 'maildir'\n[extract]\nsmall_mails = 0\n")
    settings = conf.load(file, {})
    log = open_log(settings.log)
    log.create_topic(TOPIC, 3)
    log.append(TOPIC, [Record(key=str(number).encode(), value=mail) for number, mail in enumerate(mails)])
    yield settings, log
    log.close()


_numbers = itertools.count()


def home_in(folder: Path, shared: tuple[conf.Settings, CommitLog]) -> Home:
    """Tables in this folder, and a group that has read nothing."""
    settings, log = shared
    own = replace(settings, tables=replace(settings.tables, root=folder / "tables"))
    return Home(own, log, f"group-{next(_numbers)}", settings.log.root.parent / "otclog.toml")


@pytest.fixture
def otclog() -> Iterator[Callable[..., Result]]:
    """Run a command on a home's log and tables; the signal handlers are put back."""

    def run(home: Home, *words: str) -> Result:
        tables = home.settings.tables
        environment = {"OTCLOG_TABLES_ROOT": str(tables.root), "OTCLOG_EXTRACT_GROUP": home.group}
        environment |= {"OTCLOG_TABLES_CREDENTIALS": str(tables.credentials)} if tables.credentials else {}
        return CliRunner().invoke(app, [*words, "--config", str(home.file)], env=environment)

    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def json_lines(otclog: Callable[..., Result]) -> Callable[..., list[dict[str, Any]]]:
    """What a command that succeeds prints with --json."""

    def run(home: Home, *words: str) -> list[dict[str, Any]]:
        result = otclog(home, *words, "--json")
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    return run


@pytest.fixture
def home(spark: SparkSession, shared_log: tuple[conf.Settings, CommitLog], tmp_path: Path) -> Home:  # noqa: ARG001 -- what runs here runs in the session
    return home_in(tmp_path, shared_log)


@pytest.fixture
def new_home(spark: SparkSession, shared_log: tuple[conf.Settings, CommitLog], tmp_path: Path) -> Callable[[], Home]:  # noqa: ARG001 -- what runs here runs in the session
    """As `home`, as many as are asked for."""
    numbers = itertools.count()
    return lambda: home_in(tmp_path / f"home-{next(numbers)}", shared_log)


@pytest.fixture(scope="session")
def extracted(
    spark: SparkSession,  # noqa: ARG001 -- the session runs it
    shared_log: tuple[conf.Settings, CommitLog],
    tmp_path_factory: pytest.TempPathFactory,
) -> Home:
    """All mails of the log extracted once. Tests may do again what leaves the same rows."""
    done = home_in(tmp_path_factory.mktemp("extracted"), shared_log)
    extract(done.settings, done.log, done.group, done.topic, 1000)
    return done


# Columns that the tables of `older` lack: some that a version is made up for, and all that versions added to runs.
NEW = {"quotes": ["as_of_ts"], "mails": ["date_text"], "runs": list(itertools.chain(*ADDED["runs"]))}


@pytest.fixture
def older(home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """All mails in tables as 0.2.0 would have made them, had it not had the columns NEW; today's version added them."""
    root = home.tables
    make_folder(root)
    for table in TABLES.values():
        fields = [field for field in table.arrow_schema() if field.name not in NEW.get(table.name, [])]
        rows = [{field.name: row[field.name] for field in fields} for row in extracted.rows(table.name)]
        deltalake.write_deltalake(
            str(root / table.name),
            pa.Table.from_pylist(rows, pa.schema(fields)),
            partition_by=list(table.partitioned_by),
        )
    publish_now(home.store, "of 0.2.0", dict.fromkeys(TABLES, 0))
    for name in ("quotes", "mails"):
        monkeypatch.setitem(ADDED, name, (NEW[name],))
    return home


@pytest.fixture
def rows_before(extracted: Home) -> dict[str, list[dict[str, Any]]]:
    """What `older` has: null where it has no column."""
    return {name: in_order(row | dict.fromkeys(NEW.get(name, [])) for row in extracted.rows(name)) for name in TABLES}
