"""ops.alerts.sinks: real servers and programs, which answer late, wrongly or never."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from conf.alerting import SinkSettings
from ops.alerts import outbox
from ops.alerts.file import opened
from ops.alerts.heartbeat import beat
from ops.alerts.outbox import Event
from ops.alerts.sinks import sending
from ops.alerts.sinks.sending import send_due, tried
from tests.ops.alerts.servers import Mails, dripping, mail_server, receiver, repeating

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
HOSTILE = "Fox\r\nBcc: all@a.example\x1b[2J <b>"


@pytest.fixture
def certified(tmp_path: Path) -> ssl.SSLContext:
    """A server's side of TLS, by a certificate of 127.0.0.1 that stands in `ca.pem`."""
    key, certificate = tmp_path / "key.pem", tmp_path / "ca.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=here"]
    subprocess.run([*command, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def smtp(server: str, **options: Any) -> SinkSettings:
    return SinkSettings(name="mail", kind="smtp", server=server, sender="o@a.example", to=("d@a.example",), **options)


def event(subject: str = "extract/mails", state: str = "firing") -> Event:
    return Event(state, "critical", "lag", subject, "12 records wait", NOW, NOW)


@contextmanager
def box(tmp_path: Path, *events: Event, sinks: tuple[SinkSettings, ...]) -> Iterator[Callable[[datetime], list[str]]]:
    """Tell the sinks what is due; which of them are still to be told something."""
    with opened(tmp_path / "alerts.sqlite") as db:
        for each in events:
            outbox.put(db, each, [sink.name for sink in sinks])

        def send(now: datetime) -> list[str]:
            send_due(db, sinks, now)
            return [sink for (sink,) in db.execute("SELECT sink FROM outbox ORDER BY number")]

        yield send


def test_a_mail_says_what_is_wrong_and_nothing_in_it_forges_a_header(tmp_path: Path) -> None:
    mails = Mails()
    with mail_server(mails) as server, box(tmp_path, event(HOSTILE), sinks=(smtp(server, security="plain"),)) as send:
        assert send(NOW) == []
    (mail,) = mails.mails
    assert (
        mail["Subject"]
        .strip()
        .startswith("[otclog] firing: lag Fox\\r\\nBcc: all@a.example\\x1b[2J <b>: 12 records wait")
    )
    assert mail["Bcc"] is None
    assert mail["To"] == "d@a.example"
    assert "level: critical" in mail.get_content()


def test_a_mail_that_the_server_refuses_at_first_comes_once_by_the_same_id(tmp_path: Path) -> None:
    mails = Mails("451 later", "554 no")
    with mail_server(mails) as server, box(tmp_path, event(), sinks=(smtp(server, security="plain"),)) as send:
        assert send(NOW) == ["mail"]
        assert send(NOW) == ["mail"], "and not at once again"
        assert send(NOW + timedelta(minutes=1)) == ["mail"]
        assert send(NOW + timedelta(minutes=5)) == []
        assert send(NOW + timedelta(minutes=9)) == []
    assert len(mails.mails) == 1


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_over_tls_the_server_is_verified_and_the_password_is_out_of_a_file(
    tmp_path: Path, certified: ssl.SSLContext, security: str
) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_text("username=otclog\npassword=s#cret\n")
    secrets.chmod(0o600)

    def login(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        is_known = isinstance(data, LoginPassword) and (data.login, data.password) == (b"otclog", b"s#cret")
        return AuthResult(success=is_known)

    mails = Mails()
    options: dict[str, Any] = {"authenticator": login}
    if security == "tls":
        options |= {"ssl_context": certified, "auth_require_tls": False}
    else:
        options |= {"tls_context": certified, "auth_required": True}
    with mail_server(mails, **options) as server:
        sink = smtp(server, security=security, credentials=secrets)
        assert "certificate verify failed" in (tried(sink, NOW) or "")
        sink = smtp(server, security=security, credentials=secrets, ca=tmp_path / "ca.pem")
        assert tried(sink, NOW) is None
        secrets.chmod(0o644)
        assert "is open to others" in (tried(sink, NOW) or "")
    assert len(mails.mails) == 1


def test_of_a_refused_login_the_code_alone_is_told_for_servers_may_repeat_the_password(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_text("username=otclog\npassword=s#cret\n")
    secrets.chmod(0o600)
    with repeating() as server:
        sink = smtp(server, security="plain", credentials=secrets)
        assert tried(sink, NOW) == f"{server}: 535: the login is refused"


def test_whom_a_mail_server_refuses_among_others_is_a_trouble_and_the_others_have_it_once(tmp_path: Path) -> None:
    mails = Mails(refused=("gone@a.example",))
    with mail_server(mails) as server, opened(tmp_path / "alerts.sqlite") as db:
        to = ("d@a.example", "gone@a.example")
        sink = SinkSettings(name="mail", kind="smtp", server=server, sender="o@a.example", to=to, security="plain")
        outbox.put(db, event(), ["mail"])
        outbox.put(db, event("b"), ["mail"])
        for number in range(3):
            send_due(db, [sink], NOW + timedelta(hours=number))
        said = f"{server}: takes no mail for gone@a.example (550)"
        assert outbox.troubles(db) == [outbox.Trouble("mail", 0, 2, said)]
        assert tried(sink, NOW) == said
    assert len(mails.mails) == 3


def test_whom_a_mail_server_puts_off_is_told_later_alone_and_whom_it_refuses_stays_a_trouble(tmp_path: Path) -> None:
    to = ("d@a.example", "gone@a.example", "grey@a.example")
    mails = Mails(refused=to[1:2], put_off={to[2]: 2})
    with mail_server(mails) as server, opened(tmp_path / "alerts.sqlite") as db:
        sink = SinkSettings(name="mail", kind="smtp", server=server, sender="o@a.example", to=to, security="plain")
        outbox.put(db, event(), ["mail"])
        send_due(db, [sink], NOW)
        (trouble,) = outbox.troubles(db)
        assert trouble.why == f"{server}: takes no mail for gone@a.example (550), grey@a.example (450)"
        assert (trouble.waiting, trouble.given_up) == (1, 1)
        for number in range(4):
            send_due(db, [sink], NOW + timedelta(minutes=10 * number))
        assert [(each.waiting, each.given_up) for each in outbox.troubles(db)] == [(0, 1)]
    assert mails.whom == [["d@a.example"], ["grey@a.example"]]
    assert mails.mails[0]["Message-ID"] == mails.mails[1]["Message-ID"]


def test_who_is_put_off_and_then_in_the_settings_no_more_is_sent_nothing(tmp_path: Path) -> None:
    to = ("d@a.example", "grey@a.example")
    mails = Mails(put_off={to[1]: 1})
    with mail_server(mails) as server, opened(tmp_path / "alerts.sqlite") as db:
        for number, whom in enumerate((to, to[:1])):
            sink = SinkSettings(name="mail", kind="smtp", server=server, sender="o@a.b", to=whom, security="plain")
            if not number:
                outbox.put(db, event(), ["mail"])
            send_due(db, [sink], NOW + timedelta(hours=number))
        assert outbox.troubles(db) == []
    assert mails.whom == [["d@a.example"]]


def test_who_is_put_off_keeps_nobody_else_from_hearing_the_end(tmp_path: Path) -> None:
    to = ("d@a.example", "grey@a.example")
    mails = Mails(put_off={to[1]: 2})
    with mail_server(mails) as server, opened(tmp_path / "alerts.sqlite") as db:
        sink = SinkSettings(name="mail", kind="smtp", server=server, sender="o@a.example", to=to, security="plain")
        outbox.put(db, event(), ["mail"])
        send_due(db, [sink], NOW)
        outbox.put(db, event(state="resolved"), ["mail"])
        for number in range(3):
            send_due(db, [sink], NOW + timedelta(minutes=number))
            outbox.give_up(db, ["mail"], NOW + timedelta(minutes=number))
        assert outbox.troubles(db) == []
    subjects = [str(mail["Subject"]).split()[1] for mail in mails.mails]
    assert list(zip(subjects, mails.whom, strict=True)) == [
        ("firing:", ["d@a.example"]),
        ("resolved:", ["d@a.example"]),
        ("resolved:", ["grey@a.example"]),
    ]


def test_a_defect_of_one_sink_ends_neither_a_check_nor_what_others_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError("https://a.example/secret")

    monkeypatch.setitem(sending._WAYS, "webhook", broken)
    hook = SinkSettings(name="hook", kind="webhook", url="https://a.example/secret")
    page = SinkSettings(name="page", kind="command", command=("true",))
    assert tried(hook, NOW) == "a defect: ValueError"
    with box(tmp_path, event(), sinks=(hook, page)) as send:
        assert send(NOW) == ["hook"]


def test_what_is_wrong_with_a_heartbeat_is_told_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    beat("http://127.0.0.1:99999/secret")
    beat("http://127.0.0.1:1/secret")
    assert [said.partition(":")[0] for said in caplog.messages] == ["no heartbeat", "no heartbeat"]
    assert "secret" not in caplog.text


def test_of_what_a_receiver_answers_that_is_no_http_nothing_is_told() -> None:
    with repeating() as address:
        sink = SinkSettings(name="hook", kind="webhook", url=f"http://{address}/hooks/secret", timeout_s=1)
        assert tried(sink, NOW) == "127.0.0.1: BadStatusLine"


def test_a_receiver_gets_json_with_a_token_out_of_a_file(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    secrets.write_text("token=abc\n")
    secrets.chmod(0o600)
    with receiver() as server:
        sink = SinkSettings(name="hook", kind="webhook", url=server.url, credentials=secrets, text="$$5: $kind $text")
        with box(tmp_path, event(), sinks=(sink,)) as send:
            assert send(NOW) == []
    ((token, body),) = server.got
    assert token == "Bearer abc"
    assert (body["text"], body["detail"], body["state"]) == ("$5: lag 12 records wait", "12 records wait", "firing")


def test_a_receiver_that_answers_500_or_elsewhere_is_told_again_by_the_same_id_the_beginning_before_the_end(
    tmp_path: Path,
) -> None:
    with receiver(500, 302) as server:
        sink = SinkSettings(name="hook", kind="webhook", url=server.url)
        with box(tmp_path, event(), event(state="resolved"), sinks=(sink,)) as send:
            assert send(NOW) == ["hook", "hook"]
            assert send(NOW + timedelta(minutes=1)) == ["hook", "hook"]
            assert send(NOW + timedelta(minutes=9)) == []
    said = [(body["state"], body["id"]) for _, body in server.got]
    assert [state for state, _ in said] == ["firing", "firing", "firing", "resolved"]
    assert len({key for _, key in said}) == 2


def test_who_never_answers_keeps_nobody_waiting(tmp_path: Path) -> None:
    """One that says nothing after it was asked, one that is not there, one whose program hangs; and one that works."""
    mails, never = Mails(), threading.Event()
    with ExitStack() as stack:
        hangs = stack.enter_context(receiver(wait=never))
        server = stack.enter_context(mail_server(mails))
        sinks = (
            SinkSettings(name="hook", kind="webhook", url=hangs.url, timeout_s=3),
            SinkSettings(name="gone", kind="webhook", url="http://127.0.0.1:1/", timeout_s=0.5),
            SinkSettings(name="page", kind="command", command=("sleep", "60"), timeout_s=0.5),
            smtp(server, security="plain"),
        )
        send = stack.enter_context(box(tmp_path, event(), event("b"), sinks=sinks))
        begun = time.monotonic()
        assert sorted(send(NOW)) == ["gone", "gone", "hook", "hook", "page", "page"]
        assert time.monotonic() - begun < 20
        never.set()
        assert "hook" not in send(NOW + timedelta(minutes=5))
    assert len(mails.mails) == 2
    assert len({body["id"] for _, body in hangs.got}) == 2, "what it was told twice has one id"


@pytest.mark.slow
def test_who_answers_a_byte_at_a_time_is_given_up_for_this_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TURN_S", 0.5)
    with dripping() as address:
        sink = SinkSettings(name="hook", kind="webhook", url=f"http://{address}/", timeout_s=1.0)
        with box(tmp_path, event(), sinks=(sink,)) as send, opened(tmp_path / "alerts.sqlite") as db:
            begun = time.monotonic()
            assert send(NOW) == ["hook"]
            assert 1.4 < time.monotonic() - begun < 10
            assert [each.why for each in outbox.troubles(db)] == ["no answer in 1.5 s"]


def test_a_program_gets_json_on_its_standard_input_and_no_shell(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = f"import sys; open({str(out)!r}, 'a').write(sys.stdin.read() + '\\n')"
    sink = SinkSettings(name="page", kind="command", command=(sys.executable, "-c", code, "; touch /tmp/never"))
    with box(tmp_path, event(HOSTILE), sinks=(sink,)) as send:
        assert send(NOW) == []
    body = json.loads(out.read_text())
    assert body["subject"] == HOSTILE
    assert "\n" not in body["text"]


def test_why_a_program_has_not_taken_it_is_told(tmp_path: Path) -> None:
    code = "import sys; sys.exit('no such\\x1b pager')"
    sink = SinkSettings(name="page", kind="command", command=(sys.executable, "-c", code))
    assert (tried(sink, NOW) or "").endswith("ended with 1: no such\\x1b pager")
    missing = SinkSettings(name="page", kind="command", command=(str(tmp_path / "none"),))
    assert "No such file" in (tried(missing, NOW) or "")


def test_a_heartbeat_that_is_answered_byte_by_byte_keeps_no_look_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ops.alerts.heartbeat.TIMEOUT_S", 0.5)
    with dripping() as address:
        beat(f"http://{address}/beat")
        assert "no heartbeat: no answer in 0.5 s" in caplog.text
