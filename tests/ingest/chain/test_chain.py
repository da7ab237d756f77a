"""From an IMAP server to the log, by the programs that docs/ingest.md names, with the files of conf/.

What is equal: every byte of a mail whose lines end in LF, are no longer than IMAP and fetchmail carry whole (8,000
bytes), hold no NUL and end the mail; CR LF comes out as LF.
"""

from __future__ import annotations

import email
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from email.policy import default
from pathlib import Path
from typing import Protocol

import pytest

import conf
from log import CommitLog, StoredRecord, open_log

pytestmark = pytest.mark.slow

OTCLOG = str(Path(sys.executable).with_name("otclog"))
SAMPLES = {path.stem: path.read_bytes() for path in sorted((Path(__file__).parents[3] / "samples").glob("*.eml"))}
RUN = SAMPLES["hy_run_text"]
DELIVER, LMTP = 'mda "/opt', "lmtp "  # how lines of conf/fetchmailrc begin


class Place(Protocol):
    @property
    def folder(self) -> Path: ...


class Server(Protocol):
    @property
    def place(self) -> Place: ...

    def hold(self, mails: dict[str, bytes]) -> None: ...
    def left(self) -> list[bytes]: ...


Fetch = Callable[..., int]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


def watch(place: Place) -> None:
    for name in ("plain", "attachments"):  # as docs/ingest.md has them made; procmail makes those that it delivers to
        for part in ("tmp", "new", "cur"):
            (place.folder / "lib" / "mail" / name / part).mkdir(mode=0o700, parents=True, exist_ok=True)
    subprocess.run([OTCLOG, "watch", "--once"], cwd=place.folder / "etc", check=True, stdout=subprocess.DEVNULL)


@contextmanager
def lmtp(place: Place) -> Iterator[None]:
    """The daemon, while it listens."""
    process = subprocess.Popen([OTCLOG, "lmtp", "--json"], cwd=place.folder / "etc", stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        assert "listening" in json.loads(process.stdout.readline())
        yield
        process.terminate()
        process.stdout.read()
        assert process.wait(60) == 0


def logged(place: Place, stored: Stored) -> Counter[bytes | None]:
    settings = conf.load(place.folder / "etc" / "otclog.toml", {})
    with closing(open_log(settings.log)) as log:
        return Counter(record.value for record in stored(log, "mails"))


def with_lf(raws: Iterator[bytes]) -> Counter[bytes]:
    return Counter(raw.replace(b"\r\n", b"\n") for raw in raws)


def maildir(place: Place, name: str) -> list[bytes]:
    return [path.read_bytes() for path in (place.folder / "lib" / "mail" / name / "new").glob("*")]


def has_attachment(raw: bytes) -> bool:
    mail = email.message_from_bytes(raw, policy=default)
    return any(True for _ in mail.iter_attachments()) and mail.get_content_type() != "multipart/alternative"


def test_fetched_over_verified_tls_and_parted_by_procmail_every_mail_is_in_the_log_byte_for_byte(
    server: Server, place: Place, fetch: Fetch, stored: Stored
) -> None:
    server.hold(SAMPLES)
    assert fetch() == 0
    assert server.left() == []
    attached = {name for name, raw in SAMPLES.items() if has_attachment(raw)}
    assert 5 < len(attached) < len(SAMPLES) - 5
    assert Counter(maildir(place, "attachments")) == with_lf(SAMPLES[name] for name in attached)
    assert Counter(maildir(place, "plain")) == with_lf(SAMPLES[name] for name in SAMPLES.keys() - attached)
    watch(place)
    assert maildir(place, "plain") == maildir(place, "attachments") == []
    assert logged(place, stored) == with_lf(iter(SAMPLES.values()))


@pytest.mark.parametrize(
    ("host", "ca"),
    [
        pytest.param("localhost", "other-ca.pem", id="of another authority"),
        pytest.param("127.0.0.1", "ca.pem", id="for another name"),
    ],
)
def test_a_server_whose_certificate_is_wrong_gets_no_password_and_gives_no_mail(
    server: Server, place: Place, fetch: Fetch, host: str, ca: str
) -> None:
    server.hold({"run": RUN})
    before = (server.place.folder / "dovecot" / "log").read_text()
    assert fetch(host=host, ca=server.place.folder / "dovecot" / ca) == 2  # fetchmail's code for a socket that failed
    assert server.left() == [RUN]
    assert not (place.folder / "lib" / "mail" / "plain").exists()
    assert "Login: user=" not in (server.place.folder / "dovecot" / "log").read_text()[len(before) :]


def test_fetched_and_handed_to_otclog_deliver_every_mail_is_in_the_log_byte_for_byte(
    server: Server, place: Place, fetch: Fetch, stored: Stored
) -> None:
    server.hold(SAMPLES)
    with lmtp(place):
        assert fetch(by=DELIVER) == 0
    assert server.left() == []
    assert logged(place, stored) == with_lf(iter(SAMPLES.values()))


def test_fetched_and_sent_over_lmtp_every_mail_is_in_the_log_with_the_line_ends_of_the_wire(
    server: Server, place: Place, fetch: Fetch, stored: Stored
) -> None:
    server.hold(SAMPLES)
    with lmtp(place):
        assert fetch(by=LMTP) == 0
    assert server.left() == []
    on_the_wire = Counter(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for raw in SAMPLES.values())
    assert logged(place, stored) == on_the_wire


@pytest.mark.parametrize("by", [DELIVER, LMTP], ids=["otclog-deliver", "LMTP"])
def test_while_the_daemon_is_away_mails_stay_on_the_server_and_come_when_it_is_back(
    server: Server, place: Place, fetch: Fetch, stored: Stored, by: str
) -> None:
    server.hold({"run": RUN})
    fetch(by=by)  # fetchmail ends with 0 although its delivery agent said 75
    assert server.left() == [RUN]
    with lmtp(place):
        assert fetch(by=by) == 0
    assert server.left() == []
    assert sum(logged(place, stored).values()) == 1


def test_while_procmail_cannot_deliver_mails_stay_on_the_server(server: Server, place: Place, fetch: Fetch) -> None:
    server.hold({"run": RUN})
    (place.folder / "lib" / "mail" / "plain").mkdir()
    (place.folder / "lib" / "mail" / "plain" / "tmp").touch()  # where a folder should be
    fetch()
    assert server.left() == [RUN]
    assert maildir(place, "attachments") == []


def test_a_mail_fetched_again_after_a_crash_is_one_record(
    server: Server, place: Place, fetch: Fetch, stored: Stored
) -> None:
    for _ in range(2):  # as if fetchmail had died before the server was told to delete it
        server.hold({"run": RUN})
        assert fetch() == 0
        watch(place)
    assert logged(place, stored) == Counter([RUN])


def test_odd_mails_come_through_the_chain(server: Server, place: Place, fetch: Fetch, stored: Stored) -> None:
    head = b"From: d@x.example\nSubject: odd\n\n"
    odd = {
        "dots": head + b".\n..\n.x\n",
        "from": head + b"\nFrom now on\n\nFrom d@x Mon Nov  2 10:00:00 2026\nX: y\n",
        "bytes": head + b"\xe2\x82\xac \xff\xfe\n",
        "spaces": head + b"a \t\n\n\n\n",
        "empty": head,
        "long": head + b"x" * 7900 + b"\n",
    }
    server.hold(odd | {"no header": b"98.25 / 98.75\n\nno header here\n"})
    assert fetch() == 0
    assert server.left() == []
    watch(place)
    found = logged(place, stored)
    assert Counter(odd.values()) == Counter({raw: n for raw, n in found.items() if raw in odd.values()})
    (other,) = found.keys() - set(odd.values())
    assert b"no header here" in (other or b"")
