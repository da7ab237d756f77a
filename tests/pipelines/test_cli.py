from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
import typer
from pyspark.sql import SparkSession
from typer.testing import CliRunner

import conf
import pipelines.cli
from log import Record, open_log
from pipelines.locks import lease
from pipelines.schemas import QUOTES, REJECTS, RUNS

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

app = typer.Typer()
for command in ("extract", "reparse", "prices", "explain", "rejects"):
    app.command()(getattr(pipelines.cli, command))


@pytest.fixture(autouse=True)
def umask_and_signals_are_put_back() -> Iterator[None]:
    umask = os.umask(0o077)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    os.umask(umask)
    for number, handler in handlers.items():
        signal.signal(number, handler)


def run(home: Home, *words: str) -> Any:
    environment = {"OTCLOG_TABLES_ROOT": str(home.settings.tables.root), "OTCLOG_EXTRACT_GROUP": home.group}
    return CliRunner().invoke(app, [*words, "--config", str(home.file)], env=environment)


def lines(result: Any) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_extract_prints_a_run_s_summary_and_then_says_that_all_is_read(home: Home, mails: list[bytes]) -> None:
    (summary,) = lines(run(home, "extract", "--max-mails", "3", "--json"))
    assert set(summary) == {*RUNS.schema.names, "publication"}
    assert (summary["records"], summary["group"], summary["publication"]) == (3, home.group, 1)
    assert sum(each["records"] for each in lines(run(home, "extract", "--json"))) == len(mails) - 3
    result = run(home, "extract", "--json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"group {home.group} has read all" in result.stderr


def test_prices_as_json_have_every_column_exact_decimals_and_times_in_utc(extracted: Home) -> None:
    rows = lines(run(extracted, "prices", "--json"))
    assert set(rows[0]) == set(QUOTES.schema.names)
    assert all(isinstance(row["bid"], str | None) and row["received_ts"].endswith("Z") for row in rows)
    narrowed = lines(run(extracted, "prices", "--json", "--isin", next(row["isin"] for row in rows if row["isin"])))
    assert 0 < len(narrowed) < len(rows)
    assert lines(run(extracted, "prices", "--json", "--since-day", "2999-01-01")) == []


def test_prices_as_a_table_show_the_source_and_tell_of_more(extracted: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(extracted, "prices").stderr == ""
    monkeypatch.setattr("pipelines.cli.SHOWN", 5)
    result = run(extracted, "prices")
    shown = result.stdout.splitlines()
    assert "source" in shown[0]
    assert all("mails-" in line for line in shown[1:4])
    assert "only the newest 5 " in result.stderr


def test_rejects_and_explanations_are_printed(extracted: Home) -> None:
    (locked,) = lines(run(extracted, "rejects", "--json", "--code", "PASSWORD_PROTECTED"))
    assert set(locked) == set(REJECTS.schema.names)
    row = lines(run(extracted, "prices", "--json", "--limit", "1"))[0]
    (found,) = lines(run(extracted, "explain", row["record_id"], "--json"))
    assert {name: found[name] for name in row} == row
    assert "SHA-256 equal" in found["mail_proof"]
    assert row["record_id"] in run(extracted, "explain", row["record_id"]).stdout


def test_reparse_shows_its_plan_and_does_it_when_told_to(extracted: Home) -> None:
    before = extracted.rows("runs")
    (plan,) = lines(run(extracted, "reparse", "mails:0:0-1", "--json"))
    assert (plan["records"], plan["mails"], len(plan["ranges"])) == (1, 1, 1)
    assert extracted.rows("runs") == before
    (summary,) = lines(run(extracted, "reparse", "mails:0:0-1", "--execute", "--json"))
    assert (summary["kind"], summary["records"]) == ("reparse", 1)
    assert "no record is chosen" in run(extracted, "reparse", "--sender", "nobody@example.org").stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["extract", "--every", "soon"], 2, "no duration"),
        (["extract", "--topic", "absent"], 1, "no topic 'absent' yet"),
        (["prices"], 1, "run `otclog extract` first"),
        (["explain", "abc"], 1, "run `otclog extract` first"),
        (["reparse"], 2, "either by offsets or by options"),
        (["reparse", "mails:0", "--sender", "a@b.example"], 2, "either by offsets or by options"),
        (["reparse", "mails:0:9-3"], 2, "must be below the end"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(home: Home, words: list[str], code: int, says: str) -> None:
    result = run(home, *words)
    assert result.exit_code == code, result.output
    assert says in result.stderr
    assert "Traceback" not in result.stderr


def test_a_busy_group_is_to_be_tried_again(home: Home) -> None:
    with lease(home.settings.tables.root, f"extract-{home.group}"):
        assert run(home, "extract").exit_code == 75


def test_every_goes_on_with_new_mails_until_it_is_told_to_stop(
    spark: SparkSession,  # noqa: ARG001 -- it stays warm in it
    settings: conf.Settings,
    tmp_path: Path,
) -> None:
    log = open_log(settings.log)
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"1", b"Subject: one\r\n\r\nnothing")])
    published = settings.tables.root / "_published"

    def more_mail_then_stop() -> None:
        for number in (1, 2):
            while not (published / f"{number}.json").exists():
                time.sleep(0.05)
            log.append("mails", [Record(b"1", b"Subject: two\r\n\r\nnothing")])
        os.kill(os.getpid(), signal.SIGTERM)

    other = Thread(target=more_mail_then_stop)
    other.start()
    words = ["extract", "--every", "100ms", "--json", "--config", str(tmp_path / "otclog.toml")]
    result = CliRunner().invoke(app, words)
    other.join()
    log.close()
    assert [line["records"] for line in lines(result)][:2] == [1, 1]
