"""Over a raw socket: what a delivery agent sees, and what the log has afterwards."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from conf import RouteSettings, Settings
from ingest.lmtp.protocol import PIECE_BYTES, RECIPIENTS
from log import CommitLog, StoredRecord
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

MAX_BYTES = 500_000  # of the fixture `serve`
MAIL = b"From: desk@dealer.example\r\nSubject: run\r\n\r\n99-16\r\n"


class Client(Protocol):
    greeting: str

    def reply(self) -> str: ...
    def say(self, line: str | bytes, replies: int = 1) -> list[str]: ...
    def send(self, raw: bytes) -> None: ...
    def begin(self, *recipients: str) -> list[str]: ...
    def data(self, wire: bytes, replies: int = 1) -> list[str]: ...
    def codes(self, wire: bytes, replies: int) -> list[str]: ...
    def close(self) -> None: ...


Serve = Callable[..., Path]
Connect = Callable[[Path], Client]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


@pytest.fixture
def values(commit_log: CommitLog, stored: Stored) -> Callable[[], list[bytes | None]]:
    """What the log holds."""
    return lambda: [record.value for record in stored(commit_log, "mails")]


Values = Callable[[], list[bytes | None]]


def test_it_greets_and_says_what_it_can(serve: Serve, connect: Connect) -> None:
    client = connect(serve())
    assert client.greeting.startswith("220 ")
    (answer,) = client.say("LHLO here")
    assert {"250-SIZE 500000", "250-8BITMIME", "250-PIPELINING", "250-CHUNKING"} <= set(answer.splitlines())
    assert [client.say(f"{word} here")[0][:3] for word in ("HELO", "EHLO")] == ["500", "500"]
    assert client.say("QUIT") == ["221 Bye"]
    assert not client.reply()


def test_a_mail_is_acknowledged_and_is_in_the_log_as_it_came(serve: Serve, connect: Connect, values: Values) -> None:
    client = connect(serve())
    assert client.begin("otclog@here") == ["250 2.1.5 recipient OK"]
    (reply,) = client.data(MAIL.replace(b"99-16", b"..99-16"))
    assert reply.startswith("250 2.0.0 is at mails-")
    assert values() == [MAIL.replace(b"99-16", b"..99-16").replace(b"\r\n..", b"\r\n.")]


def test_of_two_recipients_one_is_refused_and_the_other_gets_the_only_reply(
    serve: Serve, connect: Connect, values: Values
) -> None:
    client = connect(serve(recipients=("*@desk.example", "boss@*")))
    codes = [reply[:3] for reply in client.begin("a@desk.example", "a@elsewhere.example")]
    assert codes == ["250", "550"]
    assert client.codes(MAIL, 1) == ["250"]
    assert client.say("NOOP") == ["250 OK"]  # no second reply came in between
    assert values() == [MAIL]


def test_two_recipients_get_a_reply_each_for_one_record_and_a_line_in_the_journal(
    serve: Serve, connect: Connect, commit_log: CommitLog, stored: Stored
) -> None:
    client = connect(serve())
    client.begin("a@here", "b@here")
    first, second = client.data(MAIL, 2)
    assert (first[:3], second[:3]) == ("250", "250")
    (record,) = stored(commit_log, "mails")
    assert dict(record.headers)["source"] == b"lmtp:a@here"
    (line,) = [json.loads(each.value or b"") for each in stored(commit_log, "ingest-journal")]
    assert (line["what"], line["source"], line["offset"]) == ("again", "lmtp:b@here", record.offset)


def test_of_two_recipients_whose_mail_is_taken_for_one_and_fails_for_the_other_each_is_told_its_own(
    serve: Serve, connect: Connect, settings: Settings, values: Values
) -> None:
    rule = RouteSettings(name="noise", drop="nobody reads it", source="lmtp:noise@*")
    client = connect(serve(used=replace(settings, ingest=replace(settings.ingest, routes=(rule,)))))
    with (
        closing(EmbeddedLog(settings.log)) as other,
        other.exclusive(partition_for(other, "mails", b"desk@dealer.example")),
    ):
        client.begin("desk@here", "noise@here")
        assert client.codes(MAIL, 2) == ["451", "250"]
    assert values() == []
    client.begin("desk@here")
    assert client.codes(MAIL, 1) == ["250"]
    assert values() == [MAIL]


@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_bdat_carries_bytes_as_they_are(serve: Serve, connect: Connect, values: Values, size: int) -> None:
    raw = b"From: a@b.example\n\n.\n..\r\rx\0\xff\r\n.\r\nlast line without an end"
    client = connect(serve())
    client.begin("a@here")
    chunks = [raw[at : at + size] for at in range(0, len(raw), size)]
    for chunk in chunks[:-1]:
        client.send(b"BDAT %d\r\n%s" % (len(chunk), chunk))
        assert client.reply() == f"250 {len(chunk)} bytes received"
    client.send(b"BDAT %d LAST\r\n%s" % (len(chunks[-1]), chunks[-1]))
    assert client.reply()[:3] == "250"
    assert values() == [raw]


def test_what_does_not_fit_the_order_of_things_is_told_so(serve: Serve, connect: Connect, values: Values) -> None:
    client = connect(serve())
    client.say("LHLO here")
    assert client.say("RCPT TO:<a@here>")[0][:3] == "503"
    assert client.say("DATA")[0][:3] == "503"
    client.send(b"BDAT 9 LAST\r\nRSET\r\nx\r\n")  # its bytes are read, and are no commands
    assert client.reply()[:3] == "503"
    client.begin("a@here")
    client.send(b"BDAT 1\r\nx")
    assert client.reply()[:3] == "250"
    assert client.say("DATA")[0][:3] == "503"
    assert client.say("DATA now")[0][:3] == "501"
    assert client.say("BDAT many LAST")[0][:3] == "501"
    assert not client.reply()  # how much follows cannot be known
    assert values() == []


def test_a_mail_given_up_half_way_leaves_nothing(serve: Serve, connect: Connect, values: Values) -> None:
    path = serve()
    client = connect(path)
    client.begin("a@here")
    client.send(b"BDAT 4\r\nhalf")
    assert client.reply()[:3] == "250"
    assert client.say("RSET") == ["250 OK"]
    client.begin("a@here")
    client.say("DATA")
    client.send(MAIL)
    client.close()
    other = connect(path)
    other.begin("a@here")
    assert other.codes(MAIL + b"other\r\n", 1) == ["250"]
    assert values() == [MAIL + b"other\r\n"]


def test_one_mail_stays_one_mail(serve: Serve, connect: Connect, values: Values) -> None:
    smuggled = MAIL + b"\n.\nMAIL FROM:<>\r\n\r.\rRCPT TO:<a@here>\r\n\n.\r\nDATA\r\n"
    client = connect(serve())
    client.begin("a@here")
    assert client.codes(smuggled, 1) == ["250"]
    assert client.say("NOOP") == ["250 OK"]
    assert values() == [smuggled]


@pytest.mark.parametrize("line", [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 5 * PIECE_BYTES])
def test_a_line_may_be_as_long_as_it_likes(serve: Serve, connect: Connect, values: Values, line: int) -> None:
    client = connect(serve())
    client.begin("a@here")
    mail = MAIL + b"." * line + b"x\r\n"
    assert client.codes(mail.replace(b"\r\n.", b"\r\n.."), 1) == ["250"]
    assert values() == [mail]


def test_a_mail_of_the_largest_size_is_taken_and_one_byte_more_is_not(
    serve: Serve, connect: Connect, values: Values
) -> None:
    largest = MAIL.ljust(MAX_BYTES - 2, b"x") + b"\r\n"
    client = connect(serve())
    client.begin("a@here", "b@here")
    assert client.codes(b"y" + largest, 2) == ["552", "552"]
    client.begin("a@here")
    assert client.codes(largest, 1) == ["250"]
    client.begin("a@here")
    client.send(b"BDAT %d LAST\r\n%s" % (MAX_BYTES + 1, b"z" * (MAX_BYTES + 1)))
    assert client.reply()[:3] == "552"
    assert client.say(f"MAIL FROM:<> SIZE={MAX_BYTES + 1}")[0][:3] == "552"
    assert client.say(f"MAIL FROM:<> SIZE={MAX_BYTES}") == ["250 OK"]
    assert values() == [largest]


def test_a_chunk_that_is_too_large_is_refused_before_it_comes_and_read_to_its_end(
    serve: Serve, connect: Connect, values: Values
) -> None:
    client = connect(serve())
    client.begin("a@here", "b@here")
    client.send(b"BDAT %d LAST\r\n" % (MAX_BYTES + 1))
    assert [client.reply()[:3] for _ in range(2)] == ["552", "552"], "none of it was sent yet"
    client.send(b"RSET\r\n".ljust(MAX_BYTES + 1, b"z"))
    client.begin("a@here", "b@here")
    client.send(b"BDAT 9\r\nnot yet..BDAT %d\r\n" % MAX_BYTES)
    assert [client.reply()[:3] for _ in range(2)] == ["250", "552"]
    client.send(b"z" * MAX_BYTES + b"BDAT 4 LAST\r\nmore")
    assert client.reply()[:3] == "503", "what follows is of no mail"
    client.begin("a@here")
    assert client.codes(MAIL, 1) == ["250"]
    assert values() == [MAIL]


def test_many_mails_sent_at_once_are_answered_in_their_order(serve: Serve, connect: Connect, values: Values) -> None:
    client = connect(serve())
    client.say("LHLO here")
    mails = [b"From: a@b.example\n\nmail %d\n" % number for number in range(50)]
    client.send(
        b"".join(b"MAIL FROM:<>\r\nRCPT TO:<a@here>\r\nBDAT %d LAST\r\n%s" % (len(mail), mail) for mail in mails)
    )
    assert [client.reply()[:3] for _ in range(150)] == ["250"] * 150
    assert values() == mails  # one sender: one partition


def test_there_are_bounds_to_recipients_and_connections(serve: Serve, connect: Connect, values: Values) -> None:
    path = serve(connections=2)
    client = connect(path)
    codes = [reply[:3] for reply in client.begin(*(f"{number}@here" for number in range(RECIPIENTS + 1)))]
    assert Counter(codes) == {"250": RECIPIENTS, "452": 1}
    assert client.codes(MAIL, RECIPIENTS) == ["250"] * RECIPIENTS
    connect(path)
    third = connect(path)
    assert third.greeting[:3] == "421"
    assert not third.reply()
    assert client.say("NOOP") == ["250 OK"]
    assert values() == [MAIL]


def test_addresses_may_be_of_any_script_and_senders_empty(
    serve: Serve, connect: Connect, commit_log: CommitLog, stored: Stored
) -> None:
    client = connect(serve())
    client.say("LHLO here")
    assert client.say("MAIL FROM:<> BODY=8BITMIME SMTPUTF8") == ["250 OK"]
    assert client.say("RCPT TO:<händler@börse.example>")[0][:3] == "250"
    assert client.codes(MAIL, 1) == ["250"]
    (record,) = stored(commit_log, "mails")
    assert dict(record.headers)["source"].decode() == "lmtp:händler@börse.example"


MALFORMED = [
    *(b"MAIL FROM:" + each for each in (b"<", b'<"', b'"', b"<a@", b"<@", b"a@", b"(", b"<a@[")),
    *(b"MAIL FROM:<a@b.example> " + each for each in (b"SIZE=", b"SIZE=\xc2\xb2", b"SIZE=x", b"BODY=9BIT", b"=", b"A=\xff")),
    *(b"RCPT TO:" + each for each in (b"<", b'<"', b"<>", b"", b"<a@", b"=?utf-8?q?@[,", b"=?utf-8?q?)?=x", b"<a@b> X=1")),
    *(b"LHLO", b"MAIL", b"RCPT", b"MAIL TO:<a@b.example>", b"RCPT FROM:<a@b.example>", b"\xff", b"VRFY )\xff=<", b"VRFY a@"),
]  # fmt: skip


def test_malformed_commands_are_refused_for_good_and_the_next_ones_are_heard(
    serve: Serve, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    client = connect(serve())
    for line in MALFORMED:
        client.say("LHLO here")
        client.say("RSET")
        if line.startswith(b"RCPT"):
            client.say("MAIL FROM:<>")
        (reply,) = client.say(line)
        assert reply[0] == "5", (line, reply)
    assert "a connection failed" not in caplog.text
    assert client.begin("a@here") == ["250 2.1.5 recipient OK"]


def test_no_line_put_together_from_pieces_of_commands_makes_the_daemon_fail(
    serve: Serve, connect: Connect, caplog: pytest.LogCaptureFixture, record_property: Callable[[str, object], None]
) -> None:
    pieces = [
        b"<",
        b">",
        b'"',
        b"(",
        b")",
        b"@",
        b".",
        b"[",
        b"]",
        b"\\",
        b" ",
        b"a",
        b"b.example",
        b",",
        b":",
        b"=?q?",
    ]
    pieces += [b"SIZE=", b"BODY=", b"=", b"\xc2\xb2", b"\xff", b"\0", b"9", b"SMTPUTF8"]
    commands = [
        b"MAIL FROM:",
        b"RCPT TO:",
        b"LHLO ",
        b"VRFY ",
        b"HELP ",
        b"MAIL FROM:<a@b> ",
        b"RCPT TO:<a@b> ",
        b"AUTH ",
    ]
    seed, lines = 20261123, 2_000
    chance = random.Random(seed)
    client = connect(serve())
    client.say("LHLO here")
    refused = 0
    for _ in range(lines):
        client.say("RSET")
        if (command := chance.choice(commands)).startswith(b"RCPT"):
            client.say("MAIL FROM:<a@b>")
        line = command + b"".join(chance.choices(pieces, k=chance.randrange(8)))
        (reply,) = client.say(line)
        assert reply[:1] in {"2", "5"}, (line, reply)
        refused += reply[0] == "5"
    record_property("count", f"lmtp, lines put together: {lines:,} from seed {seed}, {refused:,} refused")
    assert "a connection failed" not in caplog.text
