"""ops.report: a day of real programs in figures, and as a page."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import conf
from log import open_log
from log.opslog import TOPIC, ensure_topic, record_of

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"
NAMES = ("ust_run_text", "ig_eur_sheet_xlsx", "hy_de_html", "bad_empty", "bad_encrypted_xlsx")
HOSTILE = "Kein Platz in <script>alert(1)</script> \x1b[2J für 17 Bytes"
SETTINGS = '[log]\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n[logging]\nops = "info"\n'


def otclog(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("otclog")
    return subprocess.run([program, *words], cwd=home, text=True, capture_output=True, check=False)


def say(home: Path, *lines: dict[str, Any]) -> None:
    with closing(open_log(conf.load(home / "otclog.toml").log)) as log:
        ensure_topic(log)
        log.append(TOPIC, [record_of(each, "mx1", "postfix") for each in lines])


MEMBER = """
import time
from contextlib import closing
from conf.loader import load
from log import open_log
with closing(open_log(load().log)) as log, log.join("extract", ["mails"]):
    print("joined", flush=True)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One whose day is one: what was begun before midnight is made again behind it."""
    while True:
        began = datetime.now(UTC).date()
        made = made_in(tmp_path_factory.mktemp("home"))
        if datetime.now(UTC).date() == began:
            return made


def made_in(home: Path) -> Path:
    """A home whose watcher ran twice, whose mails were extracted, twice, amid which a member died, and to which another machine told of troubles."""
    for name in ("cur", "new", "tmp"):
        (home / "mail" / name).mkdir(parents=True)
    (home / "otclog.toml").write_text(SETTINGS)
    for half in (NAMES[:2], NAMES[2:]):
        for name in half:
            shutil.copy(SAMPLES / f"{name}.eml", home / "mail" / "new" / name)
        assert otclog(home, "watch", "--once").returncode == 0
    assert otclog(home, "extract").returncode == 0
    with subprocess.Popen([sys.executable, "-c", MEMBER], cwd=home, stdout=subprocess.PIPE) as member:
        assert member.stdout is not None
        member.stdout.readline()
        member.kill()
    assert otclog(home, "extract").returncode == 0
    said = {"timestamp": "2999-01-01T00:00:00Z", "level": "error", "process": 77}
    say(home, *(said | {"event": HOSTILE.replace("17", str(number))} for number in range(30)))
    say(home, *(said | {"level": "warning", "event": f"{'x' * number} late"} for number in range(30)))
    assert otclog(home, "ops", "analyse").returncode == 0
    return home


@pytest.fixture(scope="module")
def reported(home: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of the report by their section."""
    done = otclog(home, "ops", "report", "--json")
    assert done.returncode == 0, done.stderr
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in map(json.loads, done.stdout.splitlines()):
        sections.setdefault(row.pop("section"), []).append(row)
    return sections


def test_each_program_has_its_lines_by_level_and_how_many_processes_it_had(
    reported: dict[str, list[dict[str, Any]]],
) -> None:
    programs = {row["unit"]: row for row in reported["programs"]}
    assert programs["otclog watch"]["processes"] == 2
    assert programs["otclog extract"]["processes"] == 2
    postfix = programs["postfix"]
    assert {name: postfix[name] for name in ("lines", "errors", "warnings", "host")} == {
        "lines": 60,
        "errors": 30,
        "warnings": 30,
        "host": "mx1",
    }
    assert reported["programs"][0] == postfix  # what has the most errors comes first
    assert postfix["first"] == postfix["last"] == "2999-01-01T00:00:00Z", "as it says of itself"


def test_troubles_that_differ_by_numbers_alone_are_one(reported: dict[str, list[dict[str, Any]]]) -> None:
    assert reported["troubles"][0]["message"] == HOSTILE.replace("17", "#").replace("(1)", "(#)").replace("[2J", "[#J")
    assert reported["troubles"][0]["lines"] == 30
    assert len(reported["troubles"]) == 31
    assert reported["odd lines"] == [{"date": reported["hours"][0]["date"], "flag": "ahead", "lines": 60}]


def test_hours_add_up_to_the_day(home: Path, reported: dict[str, list[dict[str, Any]]]) -> None:
    day = {
        row["what"]: row["count"]
        for row in map(json.loads, otclog(home, "day", "--json").stdout.splitlines())
        if row["of"] is None
    }
    hours = [row["hour"] for row in reported["hours"]]
    assert hours == sorted(set(hours) & set(range(24)))
    assert sum(row["mails"] for row in reported["hours"]) == day["mails"] == len(NAMES)
    assert sum(row["bytes"] for row in reported["hours"]) == day["bytes"]
    assert sum(row["lines"] for row in reported["hours"]) == sum(row["lines"] for row in reported["programs"])


def test_latencies_are_told_for_each_hop_of_a_mail(reported: dict[str, list[dict[str, Any]]]) -> None:
    hops = {row["hop"]: row for row in reported["latencies"]}
    assert list(hops) == ["sent to log", "log to parsed", "parsed to published", "log to published"]
    assert {hops[name]["mails"] for name in list(hops)[1:]} == {len(NAMES)}
    assert 0 < hops["log to parsed"]["most_s"] <= hops["log to published"]["most_s"] < 600
    for row in hops.values():
        assert 0 <= row["median_s"] <= row["p95_s"] <= row["most_s"]


def test_of_each_group_who_came_left_and_died_is_counted(reported: dict[str, list[dict[str, Any]]]) -> None:
    (extract,) = [row for row in reported["members"] if row["group"] == "extract"]
    assert {name: extract[name] for name in ("joined", "left", "died")} == {"joined": 2, "left": 2, "died": 1}


def test_refusals_are_those_of_the_tables_by_code_dealer_format_and_parser_version(
    home: Path, reported: dict[str, list[dict[str, Any]]]
) -> None:
    rejects = [json.loads(line) for line in otclog(home, "rejects", "--json").stdout.splitlines()]
    counted = Counter((row["code"], row["parser_version"]) for row in rejects)
    told = Counter[tuple[str, str]]()
    for row in reported["refused"]:
        told[row["code"], row["parser_version"]] += row["rejects"]
    assert told == counted
    (encrypted,) = [row for row in reported["refused"] if row["code"] == "PASSWORD_PROTECTED"]
    assert (encrypted["dealer"], encrypted["format"]) == ("Van Tongeren", "application/x-encrypted-office")


def test_a_table_has_the_first_of_many_rows_and_says_so(home: Path) -> None:
    done = otclog(home, "ops", "report")
    assert done.returncode == 0
    assert "troubles: the first 24 of 31 are shown" in done.stderr
    assert [section.split()[1] for section in done.stdout.split("\n\n")[:-1]] == [
        "programs",
        "members",
        "troubles",
        "odd",
        "hours",
        "latencies",
        "refused",
    ]


def test_who_stops_reading_is_no_trouble(home: Path) -> None:
    program = Path(sys.executable).with_name("otclog")
    read, write = os.pipe()
    os.close(read)
    command = [str(program), "ops", "report"]
    done = subprocess.run(command, cwd=home, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_runs_and_fetches_nothing_and_shows_hostile_text_as_text(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "day.html"
    assert otclog(home, "ops", "report", "--page", str(file)).returncode == 0
    page = file.read_text("utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    assert "default-src 'none'" in page
    assert re.findall(r"https?://[^\"]*", page) == ["http://www.w3.org/2000/svg"] * 3
    assert page.count("<rect ") == 3 * 24
    refused = otclog(home, "ops", "report", "--page", str(file))
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_a_day_without_lines_or_mails_is_empty(home: Path) -> None:
    done = otclog(home, "ops", "report", "2001-02-03", "--json")
    assert (done.returncode, done.stdout) == (0, "")
    assert otclog(home, "ops", "report", "2001-02-03").stdout.count("nothing to show") == 7


def test_before_an_extraction_the_lines_alone_are_reported(tmp_path: Path) -> None:
    (tmp_path / "otclog.toml").write_text(SETTINGS)
    without = otclog(tmp_path, "ops", "report")
    assert (without.returncode, "otclog ops analyse" in without.stderr) == (1, True)
    say(tmp_path, {"timestamp": "2026-11-28T09:00:00Z", "level": "warning", "event": "x", "process": 1})
    assert otclog(tmp_path, "ops", "analyse").returncode == 0
    rows = list(map(json.loads, otclog(tmp_path, "ops", "report", "--json").stdout.splitlines()))
    assert {row["section"] for row in rows} == {"programs", "troubles", "hours"}
