"""conf.messages: what a process writes to stderr or a file."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import conf
from conf.masking import masked

ROOT = Path(__file__).parents[2]
SPEAK = """
import logging, sys
from pathlib import Path
from conf.process import prepare
prepare(Path(sys.argv[1]))
logger = logging.getLogger("ingest.watch")
"""


def spoken(home: Path, logging: str, code: str) -> str:
    """What a process with these settings writes to stderr."""
    file = home / "otclog.toml"
    file.write_text(f'[log]\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n[logging]\n{logging}\n')
    command = [sys.executable, "-c", SPEAK + code, str(file)]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True).stderr


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_of_json_says_when_who_what_and_of_which_mail(tmp_path: Path) -> None:
    code = (
        'logger.warning("%s stays", "a.eml", extra={"sha256": "9f86", "topic": "mails", "partition": 0, "offset": 17})'
    )
    (line,) = objects(spoken(tmp_path, 'format = "json"', code))
    assert line.pop("timestamp").endswith("Z")
    assert line.pop("process") > 0
    assert line.pop("host") == socket.gethostname()
    assert line == {
        "event": "a.eml stays",
        "level": "warning",
        "logger": "ingest.watch",
        "unit": f"-c {tmp_path / 'otclog.toml'}",
        "sha256": "9f86",
        "topic": "mails",
        "partition": 0,
        "offset": 17,
    }


def test_what_is_bound_is_said_by_every_line_meanwhile_of_other_libraries_too(tmp_path: Path) -> None:
    code = """
from structlog.contextvars import bound_contextvars
with bound_contextvars(run="R1"):
    logger.warning("one")
    logging.getLogger("py4j").warning("two")
logger.warning("three")
"""
    assert [line.get("run") for line in objects(spoken(tmp_path, 'format = "json"', code))] == ["R1", "R1", None]


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_name_forges_a_line_or_steers_a_terminal(tmp_path: Path, form: str) -> None:
    code = 'logger.warning("%s", "heard\\notclog: forged \\u202e\\x1b[2J\\x7f\\udcff", extra={"file": "\\n\\x9b"})'
    said = spoken(tmp_path, f'format = "{form}"', code)
    assert said.count("\n") == 1
    assert said.isascii()
    assert not {"\x1b", "\x7f"} & set(said)
    if form == "json":
        assert objects(said)[0]["file"] == "\n\x9b"


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_masked_in_messages_fields_and_tracebacks(tmp_path: Path, form: str) -> None:
    code = """
try:
    raise ValueError("password=hunter2")
except ValueError:
    logger.exception("s3://ann:hunter2@host/bucket", extra={"source": "AWS_SECRET_ACCESS_KEY=hunter2"})
"""
    said = spoken(tmp_path, f'format = "{form}"', code)
    assert "ValueError" in said
    assert "s3://***@host/bucket" in said
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password=hunter2, then", "password=***, then"),
        ("password=abc,def;ghi", "password=***"),
        ('{"token": "a b c", "x": 1}', '{"token": ***, "x": 1}'),
        (r"{\"password\": \"a b\", \"x\": 1}", r"{\"password\": ***, \"x\": 1}"),
        (r'password="a\"b c" z', "password=*** z"),
        ('password="hunter2 is', "password=***"),
        ("sasl.password = 'a b'", "sasl.password = ***"),
        ("AWS_SECRET_ACCESS_KEY=abc/def AWS_ACCESS_KEY_ID=AK", "AWS_SECRET_ACCESS_KEY=*** AWS_ACCESS_KEY_ID=***"),
        ("AZURE_STORAGE_ACCOUNT_KEY=abc==", "AZURE_STORAGE_ACCOUNT_KEY=***"),
        ("fs.s3a.secret.key=abc", "fs.s3a.secret.key=***"),
        ("spark.authenticate.secret abc", "spark.authenticate.secret ***"),
        ("--password hunter2", "--password ***"),
        ("ran ['a', '--password', 'a b']", "ran ['a', '--password', ***]"),
        (r'{"ran": "[\"--password\",\"hunter2\"]"}', r'{"ran": "[\"--password\",***]"}'),
        ("'password', 'hunter'", "'password', 'hunter'"),
        ("private_key: abc", "private_key: ***"),
        ('SERVICE_KEY={"private_key": "abc"}', "SERVICE_KEY=***"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END", "-----BEGIN RSA PRIVATE KEY-----***"),
        ("pwd=abc passphrase=def", "pwd=*** passphrase=***"),
        ("Authorization: Bearer abc", "Authorization: ***"),
        ("user=ann pass=hunter2 db", "user=ann pass=*** db"),
        ("the tests pass: 17 of 17", "the tests pass: 17 of 17"),
        ("Cookie: id=abc; theme=dark", "Cookie: ***"),
        ("Set-Cookie: id=abc; Path=/\nnext", "Set-Cookie: ***\nnext"),
        ('{"cookie": "id=abc", "x": 1}', '{"cookie": ***, "x": 1}'),
        (r"send: 'AUTH PLAIN AGFubgBodW50ZXIy\r\n'", r"send: 'AUTH PLAIN ***\r\n'"),
        ("a1 AUTHENTICATE PLAIN AGFubgBodW50ZXIy", "a1 AUTHENTICATE PLAIN ***"),
        ("AUTH LOGIN YW5u", "AUTH LOGIN ***"),
        ("AUTH PLAIN mechanism, AUTH LOGIN rejected", "AUTH PLAIN mechanism, AUTH LOGIN rejected"),
        ("token: Bearer abc", "token: ***"),
        ("https://user:pa:ss@host/x", "https://***@host/x"),
        ("https://ghp_abc@host/x", "https://***@host/x"),
        ("s3a://KEY:wJalr/XUtn@bucket/x", "s3a://***@bucket/x"),
        ("https://host/x?sv=1&sig=abc", "https://host/x?sv=1&sig=***"),
        ("X-Amz-Signature=abc", "X-Amz-Signature=***"),
        ("maildir:/home/ann: 17.eml stays: no such file", "maildir:/home/ann: 17.eml stays: no such file"),
        ("mails: 'token: 5y bond.eml' stays", "mails: 'token: 5y bond.eml' stays"),
        ("a token of thanks", "a token of thanks"),
        ("password=\nnext line", "password=\nnext line"),
    ],
)
def test_what_reads_like_a_secret_is_masked_and_nothing_else(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_fields_are_masked_by_their_names_whatever_they_hold_and_however_deep(tmp_path: Path) -> None:
    code = """
class Odd:
    def __str__(self):
        return "password=hunter2"
logger.warning("x", extra={
    "password": "hunter2", "odd": Odd(), "settings": {"a": [{"client_secret": "hunter2"}], "n": float("nan")},
    "message_id": "token=abc@x", "message_key": "k", "offset": 17,
})
"""
    text = spoken(tmp_path, 'format = "json"', code)
    (line,) = objects(text)
    assert "hunter2" not in text
    assert line["password"] == "***"
    assert line["settings"] == {"a": [{"client_secret": "***"}], "n": "nan"}
    assert (line["message_id"], line["message_key"], line["offset"]) == ("token=abc@x", "k", 17)


@pytest.mark.parametrize(
    "piece",
    [
        "token",
        "token=",
        "password='",
        r"password=\'",
        "://",
        "a@://",
        "AUTH PLAIN ",
        "AUTH PLAIN AGFu",
        "cookie: ",
        "-----BEGIN PRIVATE KEY-----",
        "a.",
        "\\",
    ],
)
def test_masking_takes_time_as_the_text_is_long(piece: str) -> None:
    begun = time.process_time()
    masked(piece * 20_000)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_message_that_cannot_be_written_is_told_without_its_arguments(tmp_path: Path, form: str) -> None:
    said = spoken(tmp_path, f'format = "{form}"', 'logger.warning("%d mails", "password=hunter2")')
    assert "a message cannot be written: '%d mails': TypeError" in said
    assert said.count("\n") == 1
    assert "hunter2" not in said


def test_a_traceback_forges_no_line_and_steers_no_terminal(tmp_path: Path) -> None:
    code = """
try:
    raise ValueError("\\x1b[2J\\notclog: forged")
except ValueError:
    logger.exception("one")
logger.warning("two", stack_info=True)
"""
    said = spoken(tmp_path, "", code)
    assert "\x1b" not in said
    assert "  otclog: forged\n" in said
    assert [line for line in said.splitlines() if not line.startswith("  ")] == ["otclog: one", "otclog: two"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_while_the_file_cannot_be_written_messages_go_to_stderr_and_nobody_fails(tmp_path: Path, form: str) -> None:
    (tmp_path / "logs").mkdir()
    code = f"""
import os
logs = {str(tmp_path / "logs")!r}
logger.warning("one")
os.rename(logs, logs + ".away")
logger.warning("two")
logger.warning("three")
os.rename(logs + ".away", logs)
logger.warning("four")
"""
    told, two, three = spoken(tmp_path, f'format = "{form}"\nfile = "logs/m.log"', code).splitlines()
    assert told == f"otclog: {tmp_path}/logs/m.log: {os.strerror(2)}: messages go to stderr meanwhile"
    assert ("two" in two, "three" in three) == (True, True)
    one, four = (tmp_path / "logs" / "m.log").read_text().splitlines()
    assert ("one" in one, "four" in four) == (True, True)


def test_a_full_disk_and_a_stderr_that_nobody_reads_fail_nobody(tmp_path: Path) -> None:
    assert "one" in spoken(tmp_path, 'file = "/dev/full"', 'logger.warning("one")')
    spoken(tmp_path, 'file = "/dev/full"', 'import os; os.close(2); logger.warning("one")')


def test_lines_of_several_processes_do_not_mix(tmp_path: Path) -> None:
    code = """
import os
children = []
for letter in "abc":
    if (child := os.fork()) == 0:
        for _ in range(100):
            logger.warning(letter * 20_000)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
print(children, file=sys.stderr)
"""
    said = spoken(tmp_path, 'format = "json"\nfile = "m.log"', code)
    lines = objects((tmp_path / "m.log").read_text())
    assert len(lines) == 300
    assert sorted({line["process"] for line in lines}) == sorted(json.loads(said)), "each its own, not its parent's"


def test_a_line_of_json_names_the_command_in_full_and_last_words_are_of_its_form(tmp_path: Path) -> None:
    (tmp_path / "otclog.toml").write_text('[log]\n[logging]\nformat = "json"\n')
    otclog = Path(sys.executable).with_name("otclog")
    command = [str(otclog), "log", "tend"]
    (line,) = objects(subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False).stderr)
    assert (line["unit"], line["level"]) == ("otclog log tend", "error")
    assert "no log is here yet" in line["event"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_commands_last_words_are_in_the_file_too_and_of_a_defect_the_traceback(tmp_path: Path, form: str) -> None:
    code = """
import typer
from conf.cli import errors_to_exit_codes
def fail(error):
    with errors_to_exit_codes():
        raise error
for error in (OSError(2, "gone", "a.eml"), RuntimeError("a defect"), KeyboardInterrupt()):
    try:
        fail(error)
    except BaseException as raised:
        print("raised", type(raised).__name__, file=sys.stderr)
"""
    said = spoken(tmp_path, f'format = "{form}"\nfile = "m.log"', code).splitlines()
    assert said == ["otclog: a.eml: gone", "raised Exit", "raised RuntimeError", "otclog: stopped", "raised Exit"]
    kept = (tmp_path / "m.log").read_text()
    assert [word in kept for word in ("a.eml: gone", "RuntimeError: a defect", "stopped")] == [True] * 3


def test_into_a_file_that_is_its_owners_alone_behind_what_it_has_and_anew_when_it_was_rotated_away(
    tmp_path: Path,
) -> None:
    log = tmp_path / "messages.log"
    log.write_text("before\n")
    log.chmod(0o600)
    code = f"""
import os
logger.warning("one")
os.rename({str(log)!r}, {str(log) + ".1"!r})
logger.warning("two")
"""
    assert spoken(tmp_path, 'format = "json"\nfile = "messages.log"', code) == ""
    assert (tmp_path / "messages.log.1").read_text().splitlines()[0] == "before"
    assert [line["event"] for line in objects((tmp_path / "messages.log.1").read_text().partition("\n")[2])] == ["one"]
    assert [line["event"] for line in objects(log.read_text())] == ["two"]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_in_a_file_a_line_of_text_has_its_time(tmp_path: Path) -> None:
    assert spoken(tmp_path, 'file = "messages.log"', 'logger.warning("one")') == ""
    time, _, said = (tmp_path / "messages.log").read_text().partition(" otclog: ")
    assert (len(time), said) == (len("2026-11-29 00:10:00,000"), "one\n")


def test_at_level_info_more_is_said_by_otclog_and_not_by_libraries(tmp_path: Path) -> None:
    code = 'logger.info("one")\nlogging.getLogger("py4j").info("two")'
    assert spoken(tmp_path, 'level = "info"', code) == "otclog: one\n"
    assert spoken(tmp_path, "", code) == ""


def test_a_file_that_cannot_be_written_ends_the_command_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "otclog.toml").write_text('[log]\n[logging]\nfile = "no/such/folder/log"\n')
    otclog = Path(sys.executable).with_name("otclog")
    done = subprocess.run([otclog, "watch", "--once"], cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"otclog: {tmp_path / 'no/such/folder/log'}: {os.strerror(2)}\n"


def test_a_file_of_messages_among_mail_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text('[log]\n[logging]\nfile = "mail/log"\n')
    with pytest.raises(conf.ConfigError, match="otclog's own: keep them in different folders"):
        conf.load(file, {})


SHARE = """
from conf.messages import share_messages, tell
class Kept:
    def send(self, *lines):
        for line in lines:
            print(line)
    def flush(self):
        pass
    def close(self):
        pass
"""


def shared(home: Path, logging: str, code: str) -> tuple[list[dict[str, Any]], str]:
    """What a process gives to whom its messages are shared with, and what it writes to stderr."""
    file = home / "otclog.toml"
    file.write_text(f"[log]\n[logging]\n{logging}\n")
    command = [sys.executable, "-c", SPEAK + SHARE + code, str(file)]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True)
    return objects(done.stdout), done.stderr


def test_what_is_shared_is_the_files_line_whatever_else_is_said_of_the_message(tmp_path: Path) -> None:
    code = """
share_messages(Kept(), "info")
try:
    raise ValueError("password=hunter2")
except ValueError:
    logger.exception("%s stays", "a.eml\\n", extra={"sha256": "9f86"})
"""
    (said,), _ = shared(tmp_path, 'format = "json"\nfile = "m.log"\nops = "info"', code)
    assert objects((tmp_path / "m.log").read_text()) == [said]
    assert (said["event"], said["sha256"], said["level"]) == ("a.eml\n stays", "9f86", "error")
    assert said["exception"].endswith("ValueError: password=***")


@pytest.mark.parametrize(
    ("ops", "level", "heard", "shown"),
    [
        ("info", "warning", ["one", "two", "last words"], "otclog: two\notclog: last words\n"),
        ("warning", "info", ["two", "last words"], "otclog: one\notclog: two\notclog: last words\n"),
    ],
)
def test_each_place_has_the_messages_of_its_level_and_the_commands_own_words(
    tmp_path: Path, ops: str, level: str, heard: list[str], shown: str
) -> None:
    code = f"""
share_messages(Kept(), "{ops}")
logger.info("one")
logger.warning("two")
logging.getLogger("py4j").info("three")
tell("otclog: last words")
"""
    said, stderr = shared(tmp_path, f'level = "{level}"\nops = "{ops}"', code)
    assert ([each["event"] for each in said], stderr) == (heard, shown)


def test_whom_messages_are_shared_with_may_fail_and_nobody_who_speaks_hears_of_it(tmp_path: Path) -> None:
    code = """
class Failing(Kept):
    def send(self, *lines):
        raise OSError(28, "full")
share_messages(Failing(), "info")
logger.warning("one")
"""
    assert shared(tmp_path, 'ops = "info"', code) == ([], "otclog: one\n")


GROUP = """
from conf.messages import say_each
from structlog.contextvars import bound_contextvars
with bound_contextvars(run="R1"):
    say_each(logger, ((f"{name}: taken", {"file": name, "offset": at}) for at, name in enumerate(["a", "b\\n"])))
"""


def test_of_a_group_of_mails_each_is_a_message_in_every_place(tmp_path: Path) -> None:
    code = f'share_messages(Kept(), "info"){GROUP}'
    said, stderr = shared(tmp_path, 'format = "json"\nfile = "m.log"\nlevel = "info"\nops = "info"', code)
    assert objects((tmp_path / "m.log").read_text()) == said
    assert [(each["event"], each["file"], each["offset"]) for each in said] == [
        ("a: taken", "a", 0),
        ("b\n: taken", "b\n", 1),
    ]
    assert [(each["run"], each["level"], each["logger"]) for each in said] == [("R1", "info", "ingest.watch")] * 2
    assert stderr == ""


def test_of_a_group_of_mails_text_has_a_line_each_and_nobody_hears_of_it_at_a_higher_level(tmp_path: Path) -> None:
    code = f'share_messages(Kept(), "info"){GROUP}'
    said, stderr = shared(tmp_path, 'level = "info"\nops = "info"', code)
    assert ([each["file"] for each in said], stderr) == (["a", "b\n"], "otclog: a: taken\notclog: b\\n: taken\n")
    assert shared(tmp_path, 'level = "warning"\nops = "warning"', code.replace('"info")', '"warning")')) == ([], "")


def test_one_of_a_group_that_cannot_be_written_is_told_and_the_others_are_said(tmp_path: Path) -> None:
    code = """
from conf.messages import say_each
class Odd:
    def __str__(self):
        raise ValueError("password=hunter2")
share_messages(Kept(), "info")
say_each(logger, [("one", {"file": "a"}), ("two", {"file": Odd()}), ("three", {"file": "c"})])
"""
    said, _ = shared(tmp_path, 'ops = "info"', code)
    assert [each["event"] for each in said] == ["one", "a message cannot be written: '%s': ValueError", "three"]
