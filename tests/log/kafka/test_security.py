"""One broker that wants TLS, and a password or a certificate of its CA's, and lets nobody do what no ACL allows."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient
from pyspark.sql import SparkSession

import conf
from conf.settings import JOURNAL_TOPIC, KafkaSettings, LogSettings
from log import LogError, LogUnreachable, LogUnusable, Record, TopicConfig, TopicPartition
from log.claims.index import CLAIMS_TOPIC, make_index
from log.groups import GROUPS_TOPIC
from log.kafka import KafkaLog, errors
from log.kafka.acls import ROLES, Role
from log.kafka.client import client_settings
from log.kafka.spark import spark_options
from log.opslog import TOPIC, ensure_topic
from log.reading import has_topic
from log.sender import Sender
from pipelines.errors import JobFailed
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.source import records
from pipelines.tables.ranges import OffsetRange
from tests.brokers import ROOT, addresses, cluster, on_kafka
from tests.log.kafka.desks import NAMED, WORK, Desk, Right, rights_of

pytestmark = pytest.mark.slow
MAIL = (ROOT / "samples" / "ust_run_text.eml").read_bytes()


@pytest.fixture(scope="module")
def secure(needs: Callable[..., str]) -> Iterator[Path]:
    """The folder of the cluster."""
    needs("openssl")
    with cluster(1, "--secure") as home:
        yield home


@pytest.fixture(autouse=True)
def nothing_is_noted_before() -> None:
    errors._noted.clear()


@pytest.fixture
def by_password(secure: Path) -> KafkaSettings:
    """As the user `admin`."""
    keys = secure / "secure"
    return KafkaSettings(
        bootstrap=addresses(secure), security="scram", ca=keys / "ca.pem", credentials=keys / "credentials"
    )


@pytest.fixture
def by_certificate(secure: Path) -> KafkaSettings:
    """By mutual TLS."""
    keys = secure / "secure"
    there = (secure / "addresses.tls").read_text().strip()
    return KafkaSettings(
        bootstrap=there, security="tls", ca=keys / "ca.pem", certificate=keys / "admin.pem", key=keys / "admin.key"
    )


@pytest.fixture
def open_as(options: LogSettings, secure: Path) -> Callable[[KafkaSettings], KafkaLog]:
    """A log of somebody who is known so to the broker."""
    return lambda known: KafkaLog(replace(on_kafka(options, secure), kafka=known))


@pytest.fixture
def anybody(by_password: KafkaSettings, open_as: Callable[[KafkaSettings], KafkaLog]) -> Iterator[KafkaLog]:
    """The log of who may do everything."""
    with closing(open_as(by_password)) as log:
        yield log


@pytest.fixture
def desk(secure: Path, by_password: KafkaSettings, tmp_path: Path) -> Callable[[list[Right]], Desk]:
    """A user of the broker with these rights."""
    admin = AdminClient(client_settings(by_password))
    return lambda rights: Desk(secure, admin, tmp_path, rights)


def test_a_password_and_a_certificate_each_open_the_whole_log(
    by_password: KafkaSettings, by_certificate: KafkaSettings, open_as: Callable[[KafkaSettings], KafkaLog]
) -> None:
    source = TopicPartition("mails", 0)
    with closing(open_as(by_password)) as one, closing(open_as(by_certificate)) as two:
        one.create_topic("mails", 1, TopicConfig(mail=True))
        two.append("mails", [Record(b"desk", b"mail")])
        assert [each.value for each in one.read(source, 0, 100)] == [b"mail"]
        one.commit("extract", {source: 1})
        assert two.committed("extract") == {source: 1}


def test_sparks_source_is_known_by_either(
    spark: SparkSession,
    by_password: KafkaSettings,
    by_certificate: KafkaSettings,
    open_as: Callable[[KafkaSettings], KafkaLog],
) -> None:
    with closing(open_as(by_password)) as log:
        log.create_topic("for-spark", 1)
        log.append("for-spark", [Record(b"desk", b"mail") for _ in range(3)])
    for known in (by_password, by_certificate):
        reader = spark.read.format("kafka").options(**spark_options(known)).option("subscribe", "for-spark")
        assert reader.option("startingOffsets", json.dumps({"for-spark": {"0": 1}})).load().count() == 2


def test_spark_that_may_see_a_topic_and_not_read_it_is_told_in_a_line(
    spark: SparkSession, anybody: KafkaLog, desk: Callable[[list[Right]], Desk]
) -> None:
    anybody.create_topic("not-for-spark", 1)
    anybody.append("not-for-spark", [Record(b"desk", b"mail")])
    log = conf.load(desk([("topic", "not-for-spark", "Describe")]).file, {}).log
    with (
        pytest.raises(JobFailed, match=r"^[^\n]*not let Spark read[^\n]*not-for-spark[^\n]*$"),
        spark_errors_as_pipeline_errors(),
    ):
        records(spark, log, [OffsetRange("not-for-spark", 0, 0, 1)]).collect()


def test_an_error_that_is_fatal_to_the_producer_is_told_to_each_thread_and_the_next_append_begins_another(
    anybody: KafkaLog, desk: Callable[[list[Right]], Desk]
) -> None:
    anybody.create_topic("fatal", 1)
    writer = desk([("topic", "fatal", "Describe")])
    with closing(KafkaLog(conf.load(writer.file, {}).log)) as log, ThreadPoolExecutor(3) as threads:
        told: list[BaseException | None] = []
        for _ in range(5):  # a producer may be refused before it is given a record: who comes then is told that alone
            begun = [threads.submit(log.append, "fatal", [Record(b"key", b"value")]) for _ in range(3)]
            told += [each.exception() for each in begun]
        assert {type(each) for each in told} <= {LogUnusable, LogUnreachable}
        assert "the right Write of topic fatal is missing" in str(told)
        writer.allow(("topic", "fatal", "Write"))
        assert settled(lambda: [at.offset for at in log.append("fatal", [Record(b"key", b"value")])]) == [0]


def test_messages_need_two_rights_to_their_topic_and_who_lacks_one_is_told_so_once(
    anybody: KafkaLog,
    desk: Callable[[list[Right]], Desk],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("log.sender.FLUSH_S", 60)
    ensure_topic(anybody)
    rights = [("topic", TOPIC, each) for each in ("Write", "DescribeConfigs")]
    assert set(rights) < set(rights_of("publisher", messages=(TOPIC,)))
    for left_out, said in zip(rights, ("the right Describe of topic ops is missing", "(DescribeConfigs)"), strict=True):
        caplog.clear()
        send_as(desk([each for each in rights if each != left_out]))
        (told,) = [each for each in caplog.messages if "messages do not go into topic ops now" in each]
        assert said in told  # Kafka asks for Describe, which Write has in it, first
    writer = desk(rights)
    assert settled(lambda: sent_by(writer, anybody))


def sent_by(writer: Desk, reader: KafkaLog) -> list[int]:
    send_as(writer)
    if not (found := [each.offset for each in reader.read(TopicPartition(TOPIC, 0), 0, 1000)]):
        raise LogError("not yet")
    return found


def send_as(writer: Desk) -> None:
    """A message."""
    with closing(Sender(conf.load(writer.file, {}).log, "desk-1", "otclog watch")) as sender:
        sender.send('{"event": "a.eml stays"}')
        sender.flush()


def settled(append: Callable[[], list[int]]) -> list[int]:
    """What it returns once the broker has heard of the right."""
    for _ in range(20):
        with suppress(LogError):
            return append()
        time.sleep(0.2)
    return append()


def stranger(
    secure: Path, tmp_path: Path, by_password: KafkaSettings, by_certificate: KafkaSettings
) -> Iterator[KafkaSettings]:
    """Settings that the broker, or we, must refuse."""
    wrong = tmp_path / "credentials"
    wrong.write_text("username=admin\npassword=wrong\n")
    wrong.chmod(0o600)
    yield replace(by_password, credentials=wrong)
    other = tmp_path / "other.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", os.devnull, "-out", str(other)]
    subprocess.run([*request, "-days", "2", "-subj", "/CN=other"], check=True, capture_output=True)
    yield replace(by_password, ca=other)
    yield KafkaSettings(bootstrap=by_password.bootstrap)
    expire = '. scripts/lib/kafka.sh; certify "$1" late -1'
    if subprocess.run(["sh", "-c", expire, "sh", str(secure)], cwd=ROOT, check=False).returncode == 0:
        late = secure / "secure"
        yield replace(by_certificate, certificate=late / "late.pem", key=late / "late.key")


def test_who_is_not_known_is_told_within_fifteen_seconds_and_no_secret_is_shown(
    secure: Path,
    tmp_path: Path,
    by_password: KafkaSettings,
    by_certificate: KafkaSettings,
    open_as: Callable[[KafkaSettings], KafkaLog],
) -> None:
    def told(known: KafkaSettings) -> LogError:
        began = time.monotonic()
        with closing(open_as(known)) as log, pytest.raises(LogError) as raised:
            log.append("mails", [Record(b"desk", b"mail")])
        assert time.monotonic() - began < 15
        assert "wrong" not in str(raised.value)
        return raised.value

    by_wrong_password, by_other_ca, *others = stranger(secure, tmp_path, by_password, by_certificate)
    for known, said in ((by_wrong_password, "invalid credentials"), (by_other_ca, "certificate could not be verified")):
        errors._noted.clear()
        error = told(known)
        assert isinstance(error, LogUnusable)
        assert said in str(error)
    errors._noted.clear()
    with ThreadPoolExecutor() as pool:  # these say no reason: each is waited for until no answer has come
        assert len(list(pool.map(told, others))) >= 1


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.usefixtures("spark")
@pytest.mark.timeout(600)
def test_a_role_does_all_that_it_is_for_with_the_rights_that_are_printed_and_with_one_less_is_told_which(
    anybody: KafkaLog, desk: Callable[[list[Right]], Desk], role: Role
) -> None:
    rights = rights_of(role)
    made_ready(anybody, role)
    done = desk(rights).work(role)
    assert [each.exit_code for each in done] == [0] * len(WORK[role]), done[-1].output
    for left_out in rights if role != "administrator" else [each for each in rights if each[1] != "mails"]:
        made_ready(anybody, role)
        *_, last = desk([each for each in rights if each != left_out]).work(role)
        _, name, operation = left_out
        (line,) = [each for each in (last.stderr + last.stdout).splitlines() if "is missing" in each]
        assert last.exit_code == 1, left_out
        assert re.search(
            rf"the right ({operation}|Describe|DescribeConfigs) of .*({name}|cluster).* is missing", line
        ), (
            left_out,
            line,
        )


def made_ready(log: KafkaLog, role: Role) -> None:
    """The topics that the settings name, each with a record; those that an administrator is to make are gone."""
    gone = {GROUPS_TOPIC, CLAIMS_TOPIC, JOURNAL_TOPIC, "mails-backfill"} if role == "administrator" else set()
    for topic in gone:
        if has_topic(log, topic):
            log.delete_topic(topic)
    for topic in {*NAMED.mails, JOURNAL_TOPIC} - gone:
        if not has_topic(log, topic):
            log.create_topic(topic, 1, TopicConfig(mail=True))
        if not log.span(TopicPartition(topic, 0)):
            log.append(topic, [Record(b"desk@bank.example", MAIL, (("sha256", b"0" * 64),))], 0)
    if not gone:
        make_index(log)
        log.commit("extract", {TopicPartition("mails", 0): 1})


@pytest.fixture
def tokens(secure: Path) -> Iterator[str]:
    """The address of who gives tokens to the program `desk`, for the user `admin`, and to nobody else."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = self.headers["Authorization"] or ""
            is_known = asked == "Basic " + base64.b64encode(b"desk:hidden-secret").decode()
            told = {"access_token": token(secure), "token_type": "Bearer", "expires_in": 600}
            answer = json.dumps(told if is_known else {"error": "invalid_client"}).encode()
            self.send_response(200 if is_known else 401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/token"
        server.shutdown()
        thread.join()


def token(secure: Path) -> str:
    """Signed by the key whose public part the broker has."""
    now = int(time.time())
    claims = {"sub": "admin", "iss": "otclog", "aud": "kafka", "scope": "log", "iat": now, "exp": now + 600}
    parts = [json.dumps(each).encode() for each in ({"alg": "RS256", "kid": "1"}, claims)]
    signed = b".".join(base64.urlsafe_b64encode(each).rstrip(b"=") for each in parts)
    sign = ["openssl", "dgst", "-sha256", "-sign", str(secure / "secure" / "token.key")]
    signature = subprocess.run(sign, input=signed, capture_output=True, check=True).stdout
    return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


@pytest.fixture
def by_token(secure: Path, tokens: str, tmp_path: Path) -> KafkaSettings:
    """As the user `admin`, by a token that is got with a secret out of a file."""
    path = tmp_path / "token.credentials"
    path.write_text(f"client_id=desk\nclient_secret=hidden-secret\ntoken_endpoint={tokens}\nscope=log\n")
    path.chmod(0o600)
    ca = secure / "secure" / "ca.pem"
    return KafkaSettings(bootstrap=addresses(secure), security="oauth", ca=ca, credentials=path)


def test_a_token_opens_the_log_for_our_client_and_for_spark_and_no_secret_is_shown(
    spark: SparkSession,
    by_token: KafkaSettings,
    open_as: Callable[[KafkaSettings], KafkaLog],
    capfd: pytest.CaptureFixture[str],
) -> None:
    with closing(open_as(by_token)) as log:
        log.create_topic("by-token", 1)
        log.append("by-token", [Record(b"desk", b"mail") for _ in range(3)])
        log.commit("by-token", {TopicPartition("by-token", 0): 1})
        assert log.committed("by-token") == {TopicPartition("by-token", 0): 1}
        rows = records(spark, log.options, [OffsetRange("by-token", 0, 1, 3)])  # type: ignore[arg-type]
        assert rows.count() == 2
        rows.explain(extended=True)
    assert "hidden-secret" not in "".join(capfd.readouterr())


def test_a_secret_out_of_the_environment_that_nobody_knows_is_told_without_it(
    by_token: KafkaSettings,
    tokens: str,
    open_as: Callable[[KafkaSettings], KafkaLog],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name, value in (("CLIENT_ID", "desk"), ("CLIENT_SECRET", "no-such-secret"), ("TOKEN_ENDPOINT", tokens)):
        monkeypatch.setenv(f"KAFKA_{name}", value)
    with closing(open_as(replace(by_token, credentials=None))) as log, pytest.raises(LogUnusable) as raised:
        log.partition_count("mails")
    assert "refuses us" in str(raised.value)
    assert "no-such-secret" not in "".join(capfd.readouterr()) + str(raised.value)
