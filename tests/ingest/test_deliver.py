"""`otclog-deliver` as a program: what it answers its caller, and what the log has then."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from conf import Settings
from log import CommitLog, StoredRecord
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

ROOT = Path(__file__).parent.parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*.eml"))
DELIVER = "import sys; from ingest.deliver import main; sys.exit(main())"
LMTP = "import typer; from ingest.lmtp.cli import lmtp; typer.run(lmtp)"
MAIL = b"From: desk@dealer.example\nSubject: run\n\n99-16\n"

Stored = Callable[[CommitLog, str], list[StoredRecord]]
Deliver = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def deliver(settings: Settings, tmp_path: Path) -> Deliver:
    """Runs the program on a mail, with the settings' file."""
    assert settings.log.root.is_relative_to(tmp_path)

    def run(mail: bytes, *options: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", DELIVER, *options],
            input=mail,
            capture_output=True,
            check=False,
            timeout=120,
            env=os.environ | {"OTCLOG_CONFIG": str(tmp_path / "otclog.toml"), "PYTHONPATH": str(ROOT)} | environment,
        )

    return run


@pytest.fixture
def daemon(settings: Settings, tmp_path: Path) -> Iterator[None]:
    """A running `otclog lmtp` that takes mail for *@here and otclog@localhost, of at most 100,000 bytes."""
    with (tmp_path / "otclog.toml").open("a") as file:
        file.write('[lmtp]\nrecipients = ["*@here", "otclog@localhost"]\n')
    environ = os.environ | {"OTCLOG_INGEST_MAX_MAIL_BYTES": "100000"}
    command = [sys.executable, "-c", LMTP, "--config", str(tmp_path / "otclog.toml"), "--json"]
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"listening": str(settings.lmtp.socket)}
        yield
        process.terminate()


def values(settings: Settings, stored: Stored) -> list[bytes | None]:
    with closing(EmbeddedLog(settings.log)) as log:
        return [record.value for record in stored(log, "mails")]


@pytest.mark.usefixtures("daemon")
def test_it_ends_with_0_when_the_log_has_the_mail_byte_for_byte(
    deliver: Deliver, settings: Settings, stored: Stored
) -> None:
    raws = [MAIL, b"", b"no\0header\r\r\n.\r\n", *(path.read_bytes() for path in SAMPLES[:6])]
    for raw in raws:
        done = deliver(raw)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert raw in values(settings, stored)
    assert sorted(value or b"" for value in values(settings, stored)) == sorted(raws)


@pytest.mark.usefixtures("daemon")
def test_the_same_mail_twice_is_one_record(deliver: Deliver, settings: Settings, stored: Stored) -> None:
    assert [deliver(MAIL).returncode for _ in range(2)] == [0, 0]
    assert values(settings, stored) == [MAIL]


@pytest.mark.usefixtures("daemon")
def test_the_line_that_mailboxes_put_before_a_mail_is_no_part_of_it(
    deliver: Deliver, settings: Settings, stored: Stored
) -> None:
    assert deliver(b"From desk@dealer.example Mon Nov  2 10:00:00 2026\n" + MAIL).returncode == 0
    assert values(settings, stored) == [MAIL]


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize(
    ("mail", "options", "code", "says"),
    [
        pytest.param(b"x" * 100_001, [], 65, b"552 5.3.4", id="too large"),
        pytest.param(MAIL, ["a@elsewhere"], 69, b"550 5.1.1", id="no such recipient"),
        pytest.param(MAIL, ["a@here> SIZE=1"], 2, b"not an address", id="no address"),
        pytest.param(MAIL, ["--fast"], 2, b"unrecognized", id="no such option"),
        pytest.param(MAIL, ["a@here"], 0, b"", id="taken"),
    ],
)
def test_it_tells_what_is_refused_for_good_from_usage(
    deliver: Deliver, mail: bytes, options: list[str], code: int, says: bytes
) -> None:
    done = deliver(mail, *options)
    assert done.returncode == code
    assert says in done.stderr
    assert done.stderr.count(b"\n") <= 1 or code == 2


@pytest.mark.usefixtures("daemon")
def test_json_tells_the_reply(deliver: Deliver) -> None:
    said = json.loads(deliver(MAIL, "a@here", "--json").stdout)
    assert said == {"recipient": "a@here", "exit_code": 0, "reply": said["reply"]}
    assert said["reply"].startswith("250 2.0.0 is at mails-")
    assert json.loads(deliver(MAIL, "a@there", "--json").stdout)["exit_code"] == 69


def test_without_a_daemon_it_says_try_again_and_where_it_looked(deliver: Deliver, settings: Settings) -> None:
    done = deliver(MAIL)
    assert done.returncode == 75
    assert done.stderr.decode() == (
        f"otclog-deliver: {settings.lmtp.socket}: No such file or directory; is otclog lmtp running?\n"
    )


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        pytest.param(["--config", "/nowhere/otclog.toml"], {}, id="no settings"),
        pytest.param([], {"OTCLOG_LMTP_SOCKET": "", "OTCLOG_LMTP_ADDRESS": "127.0.0.1:1"}, id="nobody at the address"),
        pytest.param([], {"OTCLOG_LMTP_SOCKET": "", "OTCLOG_LMTP_ADDRESS": "nonsense"}, id="no address"),
        pytest.param(["--direct"], {"OTCLOG_LOG_MIN_INSYNC": "9"}, id="settings that cannot be"),
    ],
)
def test_whatever_is_not_the_mails_fault_is_to_be_tried_again(
    deliver: Deliver, options: list[str], environment: dict[str, str]
) -> None:
    assert deliver(MAIL, *options, **environment).returncode == 75


@pytest.mark.parametrize(
    ("script", "code"),
    [
        pytest.param([b""], 75, id="closes at once"),
        pytest.param([b"421 4.3.2 ending; try again\r\n"], 75, id="sends it off"),
        pytest.param([b"220 x\r\n250 x\r\n250 x\r\n452 4.5.3 no\r\n"], 75, id="refuses for now"),
        pytest.param([b"220 x\r\n250 x\r\n250 x\r\n250 x\r\n", b"451 4.3.0 no\r\n"], 75, id="cannot take it now"),
        pytest.param([b"220 x\r\n250 x\r\n250 x\r\n250 x\r\n", b""], 75, id="dies before the answer"),
        pytest.param([b"220 x\r\n250 x\r\n250 x\r\n250 x\r\n", b"2"], 75, id="dies within the answer"),
        pytest.param([b"220 x\r\n250 x\r\n250 x\r\n250 x\r\n", None], 75, id="never answers"),
        pytest.param([b"nonsense\r\n"], 75, id="is no LMTP daemon"),
        pytest.param([b"220 x\r\n250-a\r\n250 x\r\n250 x\r\n250 x\r\n", b"250 2.0.0 ok\r\n"], 0, id="takes it"),
    ],
)
def test_only_the_word_of_the_daemon_is_a_delivery(
    settings: Settings, deliver: Deliver, script: list[bytes | None], code: int
) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(settings.lmtp.socket))
        listening.listen()
        over = threading.Event()

        def act() -> None:
            client, _ = listening.accept()
            with client:
                for answer in script:
                    client.recv(4096)
                    if answer is None:
                        over.wait(60)
                    else:
                        client.sendall(answer)

        actor = threading.Thread(target=act)
        actor.start()
        try:
            done = deliver(MAIL, "--timeout", "2")
        finally:
            over.set()
            actor.join(60)
    assert done.returncode == code
    assert done.stderr.count(b"\n") == (code != 0)


def test_direct_appends_without_a_daemon(deliver: Deliver, settings: Settings, stored: Stored) -> None:
    assert deliver(MAIL, "--direct").returncode == 0
    assert values(settings, stored) == [MAIL]
    assert deliver(b"x" * 200, "--direct", OTCLOG_INGEST_MAX_MAIL_BYTES="100").returncode == 65


@pytest.mark.parametrize(
    "output",
    ["> /dev/full 2>&1", *(pytest.param(how, marks=pytest.mark.slow) for how in (">&- 2>&-", "2>&1 | true"))],
)
@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--direct", "--json"], 0),
        pytest.param(["--direct"], 0, marks=pytest.mark.slow),
        ([], 75),
        pytest.param(["--json"], 75, marks=pytest.mark.slow),
        (["--fast"], 2),
        (["--help"], 0),
    ],
)
def test_whether_it_can_say_so_or_not_the_exit_code_is_the_same(
    settings: Settings, tmp_path: Path, output: str, options: list[str], code: int
) -> None:
    assert settings.log.root.is_relative_to(tmp_path)
    slow = "import time; time.sleep(0.5);" if "|" in output else ""
    command = [sys.executable, "-c", slow + DELIVER, *options]
    first, _, rest = output.partition("|")
    script = f'{{ "$@" {first}; echo $? > code; }} {"|" + rest if rest else ""}'
    environ = os.environ | {"OTCLOG_CONFIG": str(tmp_path / "otclog.toml"), "PYTHONPATH": str(ROOT)}
    subprocess.run(
        ["/bin/sh", "-c", script, "sh", *command], input=MAIL, cwd=tmp_path, env=environ, check=False, timeout=120
    )
    assert int((tmp_path / "code").read_text()) == code


def test_while_another_process_holds_the_log_direct_says_try_again(
    deliver: Deliver, settings: Settings, stored: Stored
) -> None:
    assert deliver(MAIL, "--direct").returncode == 0
    with closing(EmbeddedLog(settings.log)) as log, log.exclusive(partition_for(log, "mails", b"desk@dealer.example")):
        done = deliver(MAIL + b"more", "--direct", OTCLOG_LOG_LOCK_TIMEOUT_S="0.1")
    assert done.returncode == 75
    assert values(settings, stored) == [MAIL]


@pytest.mark.usefixtures("daemon")
def test_it_loads_nothing_but_the_standard_library(tmp_path: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); from ingest.deliver import main; code = main();"
        "names = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "sys.stderr.write(f'{code} {sorted(names - set(sys.stdlib_module_names))}')"
    )
    environ = os.environ | {"OTCLOG_CONFIG": str(tmp_path / "otclog.toml")}
    done = subprocess.run(
        [sys.executable, "-c", code], input=MAIL, cwd=ROOT, env=environ, capture_output=True, check=True
    )
    assert done.stderr == b"0 ['ingest']"
