"""The real chain on loopback: Dovecot, fetchmail, procmail and Postfix with conf/'s files, their paths put below a folder."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes import killed_at_the_end

ROOT = Path(__file__).parent.parent.parent.parent
CONF = ROOT / "conf"
PASSWORD = "a secret of this test"

Needs = Callable[[str], str]


class Place:
    """A folder that stands for the root of a machine: etc, lib, log, run are otclog's own, dovecot is Dovecot's."""

    def __init__(self, folder: Path, owner: str | None = None) -> None:
        self.folder = folder
        for name in ("etc", "lib", "log", "run"):
            (folder / name).mkdir(mode=0o700)
            if owner is not None:
                shutil.chown(folder / name, owner)
        (folder / "dovecot").mkdir(mode=0o755)

    def install(self, name: str, changes: dict[str, str]) -> Path:
        """A file of conf/, with its paths below the folder and these changes; each must be one."""
        text = (CONF / name).read_text()
        for old, new in changes.items():
            assert old in text, f"conf/{name} has no {old!r}"
            text = text.replace(old, new)
        for standard, own in (
            ("/etc/otclog", "etc"),
            ("/var/lib/otclog", "lib"),
            ("/var/log/otclog", "log"),
            ("/run/otclog", "run"),
            ("/etc/dovecot", "dovecot"),
            ("/run/dovecot-otclog", "dovecot/run"),
            ("/var/lib/dovecot-otclog", "dovecot/state"),
            ("/var/log/dovecot-otclog.log", "dovecot/log"),
        ):
            text = text.replace(standard, str(self.folder / own))
        file = self.folder / "etc" / Path(name).name
        file.touch(0o600)
        file.write_text(text.replace("/opt/otclog/.venv/bin", str(Path(sys.executable).parent)))
        return file


class Server:
    """Dovecot with one user, `desk`."""

    def __init__(self, place: Place, port: int, owner: str, ca: Path) -> None:
        self.place, self.port, self.ca = place, port, ca
        self._owner = owner
        self._maildir = place.folder / "lib" / "imap" / "desk" / "Maildir"

    def hold(self, mails: dict[str, bytes]) -> None:
        """Have these mails in the inbox, and no others."""
        shutil.rmtree(self._maildir, ignore_errors=True)
        for name in ("tmp", "new", "cur"):
            (self._maildir / name).mkdir(parents=True)
        for name, raw in mails.items():
            (self._maildir / "new" / name).write_bytes(raw)
        if os.geteuid() == 0:
            for path in [self._maildir.parent, self._maildir, *self._maildir.rglob("*")]:
                shutil.chown(path, self._owner)

    def left(self) -> list[bytes]:
        """The mails it holds."""
        return sorted(path.read_bytes() for part in ("new", "cur") for path in (self._maildir / part).iterdir())


@pytest.fixture(scope="module")
def server(needs: Needs) -> Iterator[Server]:
    """A running IMAP server; its certificate, for `localhost`, is signed by a CA made for it."""
    dovecot, openssl = needs("dovecot"), needs("openssl")
    folder = Path(tempfile.mkdtemp(prefix="otclog-imap-"))
    folder.chmod(0o711)  # the server's processes have users of their own
    root = os.geteuid() == 0
    owner = "nobody" if root else pwd.getpwuid(os.geteuid()).pw_name
    user = pwd.getpwnam(owner)
    place = Place(folder, owner)
    ca = certificates(openssl, folder / "dovecot")
    users = folder / "dovecot" / "otclog-users"
    users.touch(0o600)
    users.write_text(f"desk:{{PLAIN}}{PASSWORD}\n")
    if root:
        shutil.chown(users, "dovecot")
    port = free_port()
    config = place.install(
        "dovecot.conf",
        {"port = 993": f"port = {port}", "uid=otclog gid=otclog": f"uid={user.pw_uid} gid={user.pw_gid}"},
    )
    if not root:
        with config.open("a") as file:
            file.write(
                f"default_internal_user = {owner}\ndefault_login_user = {owner}\nservice imap-login {{\n  chroot =\n}}\n"
            )
            file.write("service anvil {\n  chroot =\n}\n")
    with killed_at_the_end(subprocess.Popen([dovecot, "-F", "-c", str(config)])) as process:
        wait_for(port, process)
        yield Server(place, port, owner, ca)
        process.terminate()
        process.wait(30)
    shutil.rmtree(folder)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Where otclog, fetchmail and procmail live."""
    made = Place(tmp_path)
    (tmp_path / "etc" / "otclog.toml").write_text(
        '[log]\nroot = "../lib/log"\nreplicas = ["../lib/log/1", "../lib/log/2", "../lib/log/3"]\n'
        '[ingest]\nledger = "../lib/ledger.sqlite"\n'
        '[[ingest.sources]]\npath = "../lib/mail/plain"\nkind = "maildir"\n'
        '[[ingest.sources]]\npath = "../lib/mail/attachments"\nkind = "maildir"\n'
        '[lmtp]\nsocket = "../run/lmtp.sock"\n'
    )
    for name in ("lib/log", "lib/mail"):
        (tmp_path / name).mkdir(0o700)
    return made


@pytest.fixture
def fetch(place: Place, server: Server, needs: Needs) -> Callable[..., int]:
    """Runs fetchmail once with conf/fetchmailrc; its exit code. `by`: with another of its lines, that begins so."""
    fetchmail = needs("fetchmail")
    needs("procmail")

    def run(*, by: str | None = None, host: str = "localhost", ca: Path = server.ca) -> int:
        file = place.install(
            "fetchmailrc",
            {
                "poll imap.example.com": f"poll {host}",
                "service 993": f"service {server.port}",
                'password "secret"': f'password "{PASSWORD}"',
                "/etc/otclog/ca.pem": str(ca),
            }
            | ({'    mda "/usr': '    # mda "/usr', f"    # {by}": f"    {by}"} if by else {}),
        )
        place.install("procmailrc", {})
        environ = os.environ | {"FETCHMAILHOME": str(place.folder / "lib"), "LC_ALL": "C"}
        return subprocess.run(
            [fetchmail, "--fetchmailrc", file], env=environ, stdout=subprocess.DEVNULL, check=False, timeout=120
        ).returncode

    return run


def certificates(openssl: str, folder: Path) -> Path:
    """A CA, and a certificate of it for `localhost`; another CA, `other-ca.pem`."""

    def call(*arguments: str) -> None:
        subprocess.run([openssl, *arguments], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    for name in ("ca", "other-ca"):
        call(
            "req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}"
        )
    call("req", *key, "-keyout", "otclog.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "san").write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "san", "-days", "2")
    call("x509", "-req", "-in", "server.csr", *signed, "-out", "otclog.pem")
    return folder / "ca.pem"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        assert process.poll() is None, "dovecot ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < end, "dovecot does not listen"
            time.sleep(0.05)
        else:
            return
