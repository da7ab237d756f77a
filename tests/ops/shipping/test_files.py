"""ops.shipping: files, through whatever becomes of them"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ops.shipping.batch import Behind, Speaker, records_of
from ops.shipping.lines import LINE_BYTES, split
from tests.ops.shipping.conftest import Shipping, rows_of

pytestmark = pytest.mark.slow

OTCLOG = str(Path(sys.executable).with_name("otclog"))
Events = Callable[[], list[str]]
Rows = Callable[[], list[dict[str, Any]]]
Spawn = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A file of lines, in a folder of its own."""
    (tmp_path / "var").mkdir()
    return tmp_path / "var" / "app.log"


def write(path: Path, *lines: str) -> None:
    with path.open("a", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)


def numbered(first: int, last: int) -> list[str]:
    return [f"line {number} of a program" for number in range(first, last)]


def test_each_line_is_shipped_once_and_a_later_one_behind_it(ship: Shipping, app: Path, rows: Rows) -> None:
    write(app, "one", "two")
    assert json.loads(ship(app, "--json").stdout)["lines"] == 2
    ship(app)
    write(app, "three")
    ship(app)
    found = rows()
    host = os.uname().nodename
    assert [row["event"] for row in found] == ["one", "two", "three"]
    assert {(row["key"], row["host"], row["unit"]) for row in found} == {(f"{host}|app".encode(), host, "app")}
    assert {row["shipped"] for row in found} == {"file"}


def test_a_line_that_is_not_whole_waits_for_its_end(ship: Shipping, app: Path, events: Events) -> None:
    app.write_text("whole\nhal")
    ship(app)
    assert events() == ["whole"]
    write(app, "f")
    ship(app)
    assert events() == ["whole", "half"]


@pytest.mark.parametrize("packed", [False, True], ids=["renamed", "renamed and packed"])
def test_the_rest_of_a_rotated_file_is_shipped_before_the_new_one(
    ship: Shipping, app: Path, events: Events, packed: bool
) -> None:
    write(app, *numbered(0, 100))
    ship(app)
    write(app, *numbered(100, 150))
    rotate(app, packed=packed)
    write(app, *numbered(150, 160))
    ship(app)
    ship(app)
    assert events() == numbered(0, 160)


def rotate(path: Path, *, packed: bool = False) -> None:
    """As logrotate does it."""
    for number in range(8, 0, -1):
        for suffix in ("", ".gz"):
            each = path.with_name(f"{path.name}.{number}{suffix}")
            if each.exists():
                each.rename(path.with_name(f"{path.name}.{number + 1}{suffix}"))
    first = path.with_name(f"{path.name}.1")
    path.rename(first)
    if packed:
        subprocess.run(["gzip", first], check=True)


@pytest.mark.parametrize("packed", [False, True], ids=["renamed", "renamed and packed"])
def test_files_that_came_and_were_rotated_while_nobody_shipped_are_shipped_whole_in_their_order(
    ship: Shipping, app: Path, events: Events, packed: bool
) -> None:
    write(app, *numbered(0, 50))
    rotate(app)  # before anybody shipped
    write(app, *numbered(50, 100))
    ship(app)
    for first in (100, 200, 300):
        write(app, *numbered(first, first + 100))
        rotate(app, packed=packed)
    write(app, *numbered(400, 410))
    ship(app)
    ship(app)
    assert events() == numbered(50, 410)


@pytest.mark.parametrize("packed", [False, True], ids=["renamed", "renamed and packed"])
@pytest.mark.parametrize("before", [["-"], ["-", "before"], ["-"] * 600, [*["-"] * 600, "before"]], ids=len)
def test_files_that_begin_alike_are_no_copies_of_each_other(
    ship: Shipping, app: Path, events: Events, packed: bool, before: list[str]
) -> None:
    banner = [line for line in before if line != "before"]
    write(app, *before)
    ship(app)
    write(app, *numbered(0, 2))
    for number in range(2, 5):
        rotate(app, packed=packed)
        write(app, *banner, f"line {number} of a program")
    ship(app)
    expected = [*before, *numbered(0, 2)]
    for number in range(2, 5):
        expected += [*banner, f"line {number} of a program"]
    assert events() == expected


def test_a_new_file_with_the_first_line_of_a_short_one_that_is_gone_is_shipped_whole_and_that_is_told(
    ship: Shipping, app: Path, events: Events, caplog: pytest.LogCaptureFixture
) -> None:
    write(app, "# begun")
    ship(app)
    app.rename(app.with_name("elsewhere"))  # so that the new one has another inode
    write(app, "# begun", *numbered(0, 2))
    ship(app)
    assert events() == ["# begun", "# begun", *numbered(0, 2)]
    assert "no copy is beside it" in caplog.text


def test_a_rotated_file_all_of_which_another_one_holds_is_not_shipped_and_that_is_told(
    ship: Shipping, app: Path, events: Events, caplog: pytest.LogCaptureFixture
) -> None:
    write(app, "first")
    ship(app)
    rotate(app)
    write(app, *numbered(0, 100))
    shutil.copyfile(app, app.with_name("app.log-20261129"))
    write(app, *numbered(100, 110))
    rotate(app)
    shutil.copyfile(app.with_name("app.log.1"), app.with_name("app.log-20261130"))
    write(app, "last")
    ship(app)
    assert events() == ["first", *numbered(0, 110), "last"]
    told = [message for message in caplog.messages if "another file beside it holds all of it" in message]
    assert [Path(message.split(" is not shipped")[0]).name for message in told] == [
        "app.log-20261129",
        "app.log-20261130",
    ]


@pytest.mark.parametrize("packed", [False, True], ids=["copied", "copied and packed"])
@pytest.mark.parametrize("after", [3, 300], ids=["shorter than before", "longer than before"])
def test_the_rest_of_a_file_that_was_copied_and_truncated_is_shipped_from_the_copy(
    ship: Shipping, app: Path, events: Events, packed: bool, after: int
) -> None:
    write(app, *numbered(0, 100))
    ship(app)
    write(app, *numbered(100, 120))
    copy_and_truncate(app, packed=packed)
    write(app, *numbered(120, 120 + after))
    ship(app)
    ship(app)
    assert events() == numbered(0, 120 + after)


def copy_and_truncate(path: Path, *, packed: bool = False) -> None:
    copy = path.with_name(f"{path.name}-20261129")
    shutil.copyfile(path, copy)
    os.truncate(path, 0)
    if packed:
        subprocess.run(["gzip", copy], check=True)


def test_a_file_that_was_truncated_without_a_copy_begins_anew_and_that_is_told(
    ship: Shipping, app: Path, events: Events, caplog: pytest.LogCaptureFixture
) -> None:
    write(app, *numbered(0, 10))
    ship(app)
    os.truncate(app, 0)
    write(app, *numbered(10, 12))
    ship(app)
    assert "no copy is beside it" in caplog.text
    assert events() == numbered(0, 12)


def test_no_copy_of_a_file_is_taken_for_what_it_was_rotated_to(ship: Shipping, app: Path, events: Events) -> None:
    write(app, *numbered(0, 100))
    ship(app)
    for name in ("app.log.1", "app.log-20261129", "app.log.bak", "app.log~", "copy of app.log"):
        shutil.copyfile(app, app.with_name(name))
    write(app, *numbered(100, 110))
    ship(app)
    app.rename(app.with_name("app.log.2"))
    shutil.copyfile(app.with_name("app.log.2"), app.with_name("app.log.3"))
    write(app, *numbered(110, 120))
    ship(app)
    ship(app)
    assert events() == numbered(0, 120)


def test_a_file_that_is_written_anew_with_what_it_held_goes_on(ship: Shipping, app: Path, events: Events) -> None:
    write(app, *numbered(0, 100))
    ship(app)
    shutil.copyfile(app, app.with_name("new"))
    app.with_name("new").rename(app)  # as `sed -i` does
    write(app, *numbered(100, 110))
    ship(app)
    assert events() == numbered(0, 110)


def test_a_new_file_with_the_inode_of_the_one_before_is_shipped_from_its_beginning(
    ship: Shipping, app: Path, events: Events
) -> None:
    write(app, *numbered(0, 10))
    ship(app)
    app.write_text("".join(f"{line}\n" for line in numbered(500, 600)))  # the same inode, and longer
    ship(app)
    assert events() == [*numbered(0, 10), *numbered(500, 600)]


def test_a_line_of_10_mb_is_cut_and_the_next_one_is_whole(ship: Shipping, app: Path, rows: Rows) -> None:
    app.write_bytes(b"first\n" + b"x" * 10_000_000 + b"\nlast\n" + b"y" * 10_000_000)
    ship(app)
    with app.open("ab") as out:
        out.write(b"y" * 100 + b"\nbehind\n")
    ship(app)
    found = rows()
    assert [row["event"][:6] for row in found] == ["first", "xxxxxx", "last", "yyyyyy", "behind"]
    assert [row.get("cut") for row in found] == [None, True, None, True, None]
    assert all(len(row["event"]) <= LINE_BYTES for row in found)


def test_bytes_that_are_no_text_become_lines_of_ascii(ship: Shipping, app: Path, rows: Rows) -> None:
    app.write_bytes(bytes(range(256)) * 5_000)  # more than is read at once
    ship(app)
    found = rows()
    assert len(found) == 5_000  # the last one is not whole
    assert found[5]["event"].endswith("\\xfe\\xff\0\1\2\3\4\5\6\a\b\t")


def test_bytes_that_are_no_text_cost_little_more_than_text() -> None:
    speaker, text = Speaker("mx1", "app", "file"), b"a line with words, and what they say of a price\n" * 20_000
    noise = random.Random(1).randbytes(len(text))
    spent_s = []
    for data in (text, noise, bytes(len(text)), b"\xff" * len(text)):
        begun = time.process_time()
        records_of(split(data, inside=False, ends=True).lines, speaker, Behind())
        spent_s.append(time.process_time() - begun)
    assert max(spent_s[1:]) < 5 * spent_s[0]


def test_lines_of_a_byte_are_shipped_in_portions(ship: Shipping, app: Path, rows: Rows) -> None:
    app.write_bytes(b"\n".join(b"%d" % (number % 10) for number in range(25_000)) + b"\n\n\n")
    ship(app)
    assert [row["event"] for row in rows()] == [str(number % 10) for number in range(25_000)]


def test_another_programs_file_of_a_like_name_is_no_rotation(ship: Shipping, app: Path, events: Events) -> None:
    write(app, "one")
    ship(app)
    rotate(app)
    for name in ("app-1.log", "app.2.log", "app.log.old", "app.log.1x", "xapp.log.1", "app.log.1.gz.tmp"):
        app.with_name(name).write_text(f"of {name}\n")
    write(app, "two")
    ship(app)
    assert events() == ["one", "two"]


def test_nuls_that_a_truncation_left_before_a_line_are_none_of_it(ship: Shipping, app: Path, events: Events) -> None:
    with app.open("wb") as out:
        out.seek(3_000_000)  # where the program was when its file was truncated
        out.write(b"on\n")
    ship(app)
    assert events() == ["on"]


def test_no_line_forges_another_or_steers_a_terminal(ship: Shipping, app: Path, file: Path) -> None:
    app.write_bytes("a\r2026-11-29T12:00:00Z b\x85c\u2028d\x0be\x1b[2Jf\u202eg\x7f\r\n".encode())
    ship(app)
    (row,) = rows_of(file)
    assert row["event"] == "a\r2026-11-29T12:00:00Z b\x85c\u2028d\x0be\x1b[2Jf\u202eg\x7f"
    shown = subprocess.run(
        [OTCLOG, "log", "read", "--topic", "ops", "--json", "--config", file], capture_output=True, check=True
    ).stdout
    assert re.fullmatch(rb"[ -~]+\n", shown)


def test_secrets_are_masked_in_every_line_of_a_private_key_even_after_a_restart(
    ship: Shipping, app: Path, file: Path, tmp_path: Path
) -> None:
    lines = ["Ab3+" * 16, "Cd4/" * 16, "Ef5=", "-----END RSA PRIVATE KEY-----", "password=hunter2 and more", "said"]
    write(app, "login with token=abcdef123", "2026-11-29T12:00:00Z -----BEGIN RSA PRIVATE KEY-----", lines[0])
    ship(app)
    for line in lines[1:]:
        write(app, line)
        ship(app)
    events = [row["event"] for row in rows_of(file)]
    assert events == [
        "login with token=***",
        "-----BEGIN RSA PRIVATE KEY-----***",
        "***",
        "***",
        "***",
        "-----END RSA PRIVATE KEY-----",
        "password=*** and more",
        "said",
    ]
    kept = b"".join(each.read_bytes() for each in (tmp_path / "home" / "log" / "shipping").iterdir())
    assert b"said" not in kept
    assert b"hunter2" not in kept


def test_who_writes_the_first_line_of_a_key_hides_nothing_else(ship: Shipping, app: Path, events: Events) -> None:
    write(
        app, "subject: -----BEGIN PRIVATE KEY-----", "connection from evil.example refused (5)", *["x y"] * 300, "end"
    )
    ship(app)
    assert events()[1] == "connection from evil.example refused (5)"
    assert events()[2] == "x ***"
    assert events()[-1] == "end"


def test_a_file_that_is_not_there_is_told(ship: Shipping, app: Path) -> None:
    assert "app.log: No such file or directory" in ship(app, code=1).stderr
    assert "is no regular file" in ship(app.parent, code=1).stderr


def test_a_state_that_is_damaged_is_told_and_the_lines_come_again(
    ship: Shipping, app: Path, events: Events, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(app, "one")
    ship(app)
    (state,) = (tmp_path / "home" / "log" / "shipping").glob("*.json")
    assert state.stat().st_mode & 0o777 == 0o600
    assert state.parent.stat().st_mode & 0o777 == 0o700
    state.write_bytes(state.read_bytes().replace(b"offset", b"offse7"))
    ship(app)
    assert "its lines come again" in caplog.text
    assert events() == ["one", "one"]


@pytest.fixture
def follow(file: Path, spawn: Spawn) -> Callable[..., subprocess.Popen[str]]:
    """`otclog ops ship …` in a process of its own."""

    def begin(*words: str | Path) -> subprocess.Popen[str]:
        command = [OTCLOG, "ops", "ship", *map(str, words), "--config", str(file)]
        return spawn(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return begin


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_second_process_does_not_ship_the_same_file(
    follow: Callable[..., subprocess.Popen[str]], ship: Shipping, app: Path, events: Events
) -> None:
    write(app, "one")
    first = follow(app)
    until(lambda: events() == ["one"])
    assert "another `otclog ops ship` ships it" in ship(app, code=1).stderr
    first.terminate()
    assert first.communicate(timeout=60)[0] == "1 line into topic ops\n"


@pytest.fixture
def logrotate(needs: Callable[[str], str]) -> str:
    return needs("logrotate")


ROTATIONS = {
    "renamed": "create",
    "renamed, packed, by date": "create\ncompress\ndateext\ndateformat -%Y%m%d-%s",
    "copied and truncated": "copytruncate",
    "copied, truncated and packed": "copytruncate\ncompress",
}


@pytest.mark.parametrize("how", ROTATIONS)
def test_logrotate_loses_and_doubles_no_line_of_a_program_that_writes_on(
    follow: Callable[..., subprocess.Popen[str]], logrotate: str, app: Path, events: Events, how: str
) -> None:
    tmp_path = app.parent.parent
    options = f"rotate 99\nmissingok\nsize 1\n{ROTATIONS[how]}\n"
    (tmp_path / "conf").write_text(f"{app} {{\n{options}}}\n")
    (tmp_path / "conf").chmod(0o600)
    app.parent.chmod(0o700)
    write(app, *numbered(0, 100))
    shipping = follow(app)
    until(events)
    for first in range(100, 600, 100):
        command: list[str | Path] = [logrotate, "--force", "--state", tmp_path / "state", tmp_path / "conf"]
        subprocess.run(command, check=True, capture_output=True)
        write(app, *numbered(first, first + 100))
        time.sleep(1.1)  # the name of the next has another second
    until(lambda: len(events()) >= 600)
    shipping.send_signal(signal.SIGINT)
    assert shipping.wait(60) == 0
    assert events() == numbered(0, 600)


def test_rounds_of_kill_9_lose_no_line(
    follow: Callable[..., subprocess.Popen[str]],
    app: Path,
    events: Events,
    record_property: Callable[[str, object], None],
) -> None:
    rounds, each = 10, 20_000
    write(app, "begun")
    begun = follow(app)
    until(events)
    begun.kill()
    begun.wait(60)
    for number in range(rounds):
        write(app, *numbered(number * each, (number + 1) * each))
        shipping = follow(app)
        if number % 2:
            rotate(app, packed=number % 4 == 3)
            app.touch()
        time.sleep(0.5 + 0.1 * number)  # it needs so long to begin, and as long again to end
        shipping.kill()
        shipping.wait(60)
    last = follow(app)
    until(lambda: len(set(events())) > rounds * each)
    last.terminate()
    assert last.wait(60) == 0
    found = Counter(events()[1:])
    twice = sum(count > 1 for count in found.values())
    record_property("count", f"{rounds} kills of `ops ship`: {len(found)} lines, 0 lost, {twice} twice")
    assert sorted(found, key=lambda line: int(line.split()[1])) == numbered(0, rounds * each)


def test_a_packed_file_that_is_damaged_holds_up_nothing(ship: Shipping, app: Path, events: Events) -> None:
    write(app, *numbered(0, 10))
    ship(app)
    rotate(app)
    app.with_name("app.log.7.gz").write_bytes(gzip.compress(b"lost\n" * 5000)[:60])
    write(app, *numbered(10, 20))
    ship(app)
    assert [event for event in events() if event.startswith("line")] == numbered(0, 20)
