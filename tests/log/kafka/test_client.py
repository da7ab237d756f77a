from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient

from conf.settings import KafkaSettings, LogSettings
from log import LogUnusable
from log.kafka import KafkaLog
from log.kafka.client import client_settings, opened, security_settings

OPEN = {"client.rack": "fra1", "socket.keepalive.enable": "true", "retry.backoff.ms": "50"}
CLOSED = [
    "acks",
    "request.required.acks",
    "isolation.level",
    "enable.idempotence",
    "max.in.flight",
    "message.timeout.ms",
    "bootstrap.servers",
    "metadata.broker.list",
    "topic.blacklist",
    "client.id",
    "group.instance.id",
    "auto.commit.enable",
    "compression.codec",
    "queue.buffering.max.ms",
    "max.partition.fetch.bytes",
    "plugin.library.paths",
    "api.version.request",
    "debug",
    "no.such.thing",
]


def test_what_a_user_sets_reaches_the_client() -> None:
    given = KafkaSettings(bootstrap="a:1", client=OPEN)
    assert OPEN.items() <= client_settings(given, acks="all").items()
    opened(Producer, given)


@pytest.mark.parametrize("name", CLOSED)
def test_what_promises_rest_on_cannot_be_set_under_whatever_name(name: str) -> None:
    with pytest.raises(LogUnusable, match=rf'\[log.kafka\] client: "{name}" cannot be set.* client\.rack, '):
        client_settings(KafkaSettings(bootstrap="a:1", client={name: "0"}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("security.protocol", "plaintext"),
        ("sasl.mechanism", "GSSAPI"),
        ("sasl.mechanisms", "PLAIN"),
        ("sasl.password", "geheim"),
        ("sasl.oauthbearer.client.secret", "geheim"),
        ("ssl.key.pem", "geheim"),
        ("sasl.jaas.config", 'password="geheim"'),
        ("sasl.oauthbearer.client.id", "geheim"),
        ("sasl.oauthbearer.token.endpoint.url", "http://127.0.0.1/geheim"),
        ("sasl.kerberos.principal", "geheim"),
        ("sasl.kerberos.kinit.cmd", "geheim"),
        ("ssl.keystore.location", "/tmp/geheim"),
        ("ssl.endpoint.identification.algorithm", "none"),
        ("ssl.cipher.suites", "NULL"),
        ("enable.ssl.certificate.verification", "false"),
        ("enable.sasl.oauthbearer.unsecure.jwt", "true"),
        ("ssl.ca.location", "/tmp/another.pem"),
    ],
)
def test_who_we_are_to_the_brokers_is_not_said_to_one_client_alone_and_no_secret_is_a_setting(
    name: str, value: str
) -> None:
    with pytest.raises(LogUnusable, match=f"not {name}: .* security.* and credentials") as refused:
        client_settings(KafkaSettings(bootstrap="a:1", security="tls", client={name: value}))
    assert "geheim" not in str(refused.value)


def test_what_otclog_sets_itself_is_refused_and_not_dropped_without_a_word() -> None:
    given = KafkaSettings(bootstrap="a:1", client={"fetch.wait.max.ms": "500"})
    assert client_settings(given)["fetch.wait.max.ms"] == "500"
    with pytest.raises(LogUnusable, match=r"fetch\.wait\.max\.ms is otclog's own to set"):
        client_settings(given, fetch_wait_max_ms=10)


def test_a_setting_that_the_client_does_not_know_is_named() -> None:
    with pytest.raises(LogUnusable, match=r'\[log.kafka\].*"retry.no.such.thing"'):
        opened(Producer, KafkaSettings(bootstrap="a:1", client={"retry.no.such.thing": "1"}))


def credentials(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "kafka.credentials"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_tls_scram_and_tokens_are_set_in_the_clients_words(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    assert security_settings(KafkaSettings()) == {}
    tls = security_settings(KafkaSettings(security="tls", ca=ca, certificate=ca, key=ca))
    assert (tls["security.protocol"], tls["ssl.key.location"]) == ("SSL", str(ca))
    path = credentials(tmp_path, "username=ann\npassword=secret\n")
    scram = security_settings(KafkaSettings(security="scram", ca=ca, credentials=path))
    assert (scram["security.protocol"], scram["sasl.mechanism"]) == ("SASL_SSL", "SCRAM-SHA-512")
    path = credentials(tmp_path, "client_id=desk\nclient_secret=x\ntoken_endpoint=https://id.example/token\n")
    oauth = security_settings(KafkaSettings(security="oauth", credentials=path))
    assert oauth["sasl.oauthbearer.token.endpoint.url"] == "https://id.example/token"


@pytest.mark.parametrize("name", ["username", "password"])
def test_a_secret_that_the_client_would_cut_is_refused_before_the_brokers_refuse_us(tmp_path: Path, name: str) -> None:
    path = credentials(tmp_path, f"username=ann\npassword=secret\n{name}=' hidden '\n")
    scram = KafkaSettings(security="scram", credentials=path)
    with pytest.raises(LogUnusable, match=rf"sasl\.{name} begins with a space, which the client") as raised:
        security_settings(scram)
    assert "hidden" not in str(raised.value)
    path.write_text("username=ann\npassword='secret '\n")
    assert security_settings(scram)["sasl.password"] == "secret "


def test_a_client_without_kerberos_says_so_with_the_way_out(tmp_path: Path) -> None:
    path = credentials(tmp_path, "principal=etl@BANK.EXAMPLE\nkeytab=/etc/otclog/etl.keytab\n")
    given = KafkaSettings(bootstrap="a:1", security="kerberos", credentials=path)
    settings = security_settings(given)
    assert (settings["sasl.mechanism"], settings["sasl.kerberos.principal"]) == ("GSSAPI", "etl@BANK.EXAMPLE")
    with pytest.raises(LogUnusable, match=r"no Kerberos.*use tls, scram or oauth.*libsasl2"):
        opened(Producer, given)


@pytest.fixture
def echo() -> Iterator[str]:
    """The address of who gives no token, and says why by repeating in many ways what it was asked with."""

    class Echo(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.headers["Authorization"].split()[1]
            secret = base64.b64decode(sent).decode()
            said = f"{secret}, {quote(secret)}, {sent}, {secret.split(':')[1]} is not known"
            body = json.dumps({"error": "invalid_client", "error_description": said}).encode()
            self.send_response(400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/token"
    server.shutdown()
    thread.join()
    server.server_close()


def test_who_repeats_our_secret_where_we_ask_for_a_token_does_not_make_us_show_it(
    options: LogSettings, echo: str, tmp_path: Path
) -> None:
    secret = "hid&den/s3cr3t"
    path = credentials(tmp_path, f"client_id=desk\nclient_secret={secret}\ntoken_endpoint={echo}\n")
    given = KafkaSettings(bootstrap="127.0.0.1:1", security="oauth", credentials=path)
    log = KafkaLog(replace(options, backend="kafka", claims=(options.root / "claims",), kafka=given))
    with closing(log), pytest.raises(LogUnusable, match=r"invalid_client.*desk:\*\*\*.*is not known") as raised:
        log.partition_count("mails")
    for shown in (secret, quote(secret, safe=""), quote(secret), base64.b64encode(f"desk:{secret}".encode()).decode()):
        assert shown not in str(raised.value)


@pytest.mark.slow
def test_a_client_says_nothing_of_brokers_that_it_will_try_again(caplog: pytest.LogCaptureFixture) -> None:
    client = opened(AdminClient, KafkaSettings(bootstrap="127.0.0.1:1"))
    with pytest.raises(KafkaException):
        client.list_topics(timeout=2.0)
    client.poll(0.5)  # what it noted is handed on here
    assert caplog.records == []


_GARBAGE_AMID_AN_ANSWER = """
import gc, threading
from confluent_kafka.admin import AdminClient
from conf.settings import KafkaSettings, LogSettings
from log.kafka.client import let_go, opened

admin = opened(AdminClient, KafkaSettings(bootstrap="127.0.0.1:1"))
answer = admin.describe_cluster(request_timeout=1)
collected = threading.Event()
answer.add_done_callback(lambda _: (gc.collect(), collected.set()))  # in the client's own thread
{}
garbage = [admin]
garbage.append(garbage)
del admin, garbage
print(type(answer.exception(20)).__name__)
collected.wait(20)  # else the program may end before the thread comes to it
"""


@pytest.mark.parametrize(("done_with", "code"), [("let_go(admin)", 0), ("", -signal.SIGABRT)])
def test_a_client_that_still_waits_for_an_answer_is_let_go_of_without_an_abort(done_with: str, code: int) -> None:
    program = _GARBAGE_AMID_AN_ANSWER.format(done_with)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    assert code or done.stdout == "KafkaException\n"
