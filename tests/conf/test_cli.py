"""conf.cli"""

from __future__ import annotations

import errno
import json
import os
import pty
import shlex
import subprocess
import sys
import termios
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from conf.cli import decimal_text, emit, errors_to_exit_codes, seconds
from conf.printable import said
from otclog import app


def test_json_lines_have_decimals_as_strings_and_times_in_utc(capsys: pytest.CaptureFixture[str]) -> None:
    emit([{"bid": Decimal("98.2500"), "at": datetime(2026, 11, 20, 9, 30, tzinfo=UTC), "none": None}], as_json=True)
    assert json.loads(capsys.readouterr().out) == {"bid": "98.25", "at": "2026-11-20T09:30:00Z", "none": None}


@pytest.mark.parametrize(
    ("value", "text"), [("5E+6", "5000000"), ("98.50", "98.5"), ("0.00", "0"), ("-0.0", "0"), ("-12.5", "-12.5")]
)
def test_a_decimal_is_written_without_exponent_or_trailing_zeros(value: str, text: str) -> None:
    assert decimal_text(Decimal(value)) == text


def test_control_and_direction_characters_of_a_mail_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    emit([{"subject": "\x1b[31mred\u202eder"}], as_json=False)
    out = capsys.readouterr().out
    assert "\x1b[31m" not in out
    assert "\\x1b[31mred\\u202eder" in out


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("90d", 90 * 86_400),
        ("36h", 129_600),
        ("1h30m", 5_400),
        ("2s", 2),
        ("1.5s", 1.5),
        ("500ms", 0.5),
        ("1m2ms", 60.002),
    ],
)
def test_a_duration_is_numbers_with_their_units(text: str, length: float) -> None:
    assert seconds(text) == pytest.approx(length)


@pytest.mark.parametrize("text", ["", "soon", "2", "0s", "-2s", "s", "1m1h", "1 h", "P1D", "٣s", "9" * 400 + "d"])
def test_what_is_no_duration_is_refused_and_so_is_one_of_no_length(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="no duration"):
        seconds(text)


class Retriable(Exception):
    retriable = True


class Final(Exception):
    retriable = False


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Retriable("busy"), 75),
        (Final("bad"), 1),
        (OSError("disk"), 1),
        pytest.param(OSError(errno.ENOSPC, "full"), 75, id="a full disk"),
    ],
)
def test_our_errors_end_as_one_line_and_their_exit_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as caught, errors_to_exit_codes():
        raise error
    assert caught.value.exit_code == code
    assert capsys.readouterr().err == f"otclog: {said(error)}\n"


def test_a_defect_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError), errors_to_exit_codes():
        _ = 1 / 0


def test_json_has_no_control_or_direction_character_either(capsys: pytest.CaptureFixture[str]) -> None:
    emit([{"subject": "\x7f\x9b\u202eder"}], as_json=True)
    out = capsys.readouterr().out
    assert out.isascii()
    assert "\x7f" not in out
    assert json.loads(out) == {"subject": "\x7f\x9b\u202eder"}


def test_a_table_says_yes_and_no_where_json_has_true_and_false(capsys: pytest.CaptureFixture[str]) -> None:
    for as_json in (False, True):
        emit([{"ok": True, "late": False}], as_json=as_json)
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["ok", "late"],
        ["yes", "no"],
        ['{"ok":', "true,", '"late":', "false}"],
    ]


@pytest.mark.parametrize("as_json", [False, True])
def test_where_there_is_nothing_to_show_that_is_said_on_stderr_and_stdout_stays_empty(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert emit(iter(()), as_json=as_json, columns=("a", "b"))
    assert capsys.readouterr() == ("", "nothing to show\n")


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_table_on_a_terminal_of_any_width_has_every_number_time_and_id_whole(columns: int) -> None:
    row = {"quoted": "2026-11-19 07:31Z", "instrument": "x" * 36, "bid": 2.1125, "ask": 2.15, "record": "12aebd1d92ee"}
    master, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, columns))
    environ = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    code = f"from conf.cli import emit; emit([{row!r}], as_json=False)"
    subprocess.run([sys.executable, "-c", code], stdout=terminal, env=environ, check=True)
    lines = os.read(master, 4096).decode().splitlines()
    os.close(terminal)
    os.close(master)
    assert max(map(len, lines)) <= columns
    assert all(any(str(value) in line for line in lines) for value in row.values())


@pytest.mark.parametrize("as_json", [True, False])
def test_a_reader_that_leaves_ends_the_command_quietly(as_json: bool) -> None:
    code = f"from conf.cli import emit; emit([{{'n': n}} for n in range(100_000)], as_json={as_json})"
    command = f"{sys.executable} -c {shlex.quote(code)} | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_reader_that_leaves_changes_nothing_in_the_exit_code(as_json: bool) -> None:
    code = (
        f"from conf.cli import emit; emit([{{'n': n}} for n in range(100_000)], as_json={as_json}); raise SystemExit(3)"
    )
    printing = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert printing.stdout is not None
    printing.stdout.readline()
    printing.stdout.close()
    assert printing.stderr is not None
    assert (printing.stderr.read(), printing.wait()) == ("", 3)
    printing.stderr.close()


@pytest.mark.parametrize("on_path", [True, False])
def test_init_names_the_program_that_runs_and_says_that_watch_deletes(tmp_path: Path, on_path: bool) -> None:
    otclog = Path(sys.executable).with_name("otclog")
    environ = os.environ | {"PATH": f"{otclog.parent}:{os.defpath}" if on_path else os.defpath}
    home = tmp_path / "my prices"
    done = subprocess.run([otclog, "init", home], env=environ, capture_output=True, text=True, check=True)
    named = "otclog" if on_path else str(otclog)
    assert f"Next: cd '{home}' && {named} doctor && {named} watch " in done.stdout
    assert "watch deletes a mail's file" in done.stdout
    assert f'set done = "move" in {home / "otclog.toml"}' in done.stdout


def test_init_says_which_kind_of_folder_it_took_each_for_and_why(tmp_path: Path) -> None:
    (maildir := tmp_path / "Maildir" / "new").mkdir(parents=True)
    (empty := tmp_path / "empty").mkdir()
    words = ["init", str(tmp_path / "home"), "--mail", str(maildir.parent), "--mail", str(empty)]
    done = CliRunner().invoke(app, words)
    assert f'{maildir.parent} is a Maildir (kind = "maildir"): it has a new/' in done.stdout
    assert f'{empty} is a drop folder (kind = "drop"): any file in it is taken, for it has no new/' in done.stdout
