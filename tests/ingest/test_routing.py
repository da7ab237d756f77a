from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conf import ConfigError, RouteSettings
from ingest.mail import Mail
from ingest.routing import Router


def mail(subject: str = "EUR IG run", file: str = "", source: str = "drop:/mail", size: int = 0) -> Mail:
    message = EmailMessage()
    message["From"] = "Ann <ann@dealer.example>"
    message["Subject"] = subject
    message.set_content("98.25" + "." * size)
    if file:
        message.add_attachment(b"x", "application", "pdf", filename=file)
    return Mail.of(bytes(message), source, "m.eml", 0)


def rule(**conditions: Any) -> RouteSettings:
    return RouteSettings(**({"name": "rule", "topic": "there"} | conditions))


def topic(routes: list[RouteSettings], of: Mail) -> str | None:
    return Router(routes, "mails").route(of).topic


@pytest.mark.parametrize(
    ("conditions", "of", "holds"),
    [
        ({}, mail(), True),
        ({"headers": {"subject": "(?i)ig RUN"}}, mail(), True),
        ({"headers": {"Subject": "^run"}}, mail(), False),
        ({"headers": {"subject": "Läufe"}}, mail("Läufe für heute"), True),
        ({"headers": {"x-none": "."}}, mail(), False),
        ({"headers": {"from": "@dealer", "subject": "HY"}}, mail(), False),
        ({"has_attachment": True}, mail(file="a.pdf"), True),
        ({"has_attachment": True}, mail(), False),
        ({"has_attachment": False}, mail(), True),
        ({"attachment_type": (".PDF",)}, mail(file="RUN.pdf"), True),
        ({"attachment_type": ("image/*", "application/*")}, mail(file="a.xyz"), True),
        ({"attachment_type": (".xlsx",)}, mail(file="a.pdf"), False),
        ({"attachment_type": (".pdf",)}, mail(), False),
        ({"min_bytes": 1000}, mail(), False),
        ({"min_bytes": 1000, "max_bytes": 2000}, mail(size=1000), True),
        ({"max_bytes": 1000}, mail(size=1000), False),
        ({"source": "*/axes"}, mail(source="drop:/mail/axes"), True),
        ({"source": "*/axes"}, mail(source="drop:/mail"), False),
    ],
)
def test_a_rule_matches_when_every_condition_holds(conditions: dict[str, Any], of: Mail, holds: bool) -> None:
    assert topic([rule(**conditions)], of) == ("there" if holds else "mails")


def test_the_first_rule_that_matches_wins() -> None:
    routes = [rule(name="a", topic="a", min_bytes=10**6), rule(name="b", topic="b"), rule(name="c", topic="c")]
    assert Router(routes, "mails").route(mail()).name == "b"


def test_a_rule_may_drop_with_its_reason() -> None:
    route = Router([rule(topic=None, drop="newsletters")], "mails").route(mail())
    assert (route.name, route.topic, route.drop) == ("rule", None, "newsletters")


def test_every_topic_that_a_mail_may_go_to_is_named_once() -> None:
    routes = [rule(topic="a"), rule(topic=None, drop="no"), rule(topic="mails"), rule(topic="a")]
    assert Router(routes, "mails").topics == ["mails", "a"]


def test_an_explanation_says_of_each_rule_why() -> None:
    routes = [
        rule(name="big", min_bytes=10**6, headers={"subject": "HY"}),
        rule(name="ig", headers={"subject": "IG"}, source="drop:*"),
        rule(name="rest", topic=None, drop="the rest"),
    ]
    rows = Router(routes, "mails").explain(mail())
    size = mail().size
    assert [tuple(row) for row in rows] == [
        ("big", False, f"{size} bytes are fewer than 1000000; subject 'EUR IG run' does not match HY", "topic there"),
        ("ig", True, "source drop:/mail is drop:*; subject 'EUR IG run' matches IG", "topic there"),
        ("rest", None, "an earlier rule matched", "drop: the rest"),
        ("default", None, "an earlier rule matched", "topic mails"),
    ]


def test_without_a_match_the_default_is_explained() -> None:
    assert Router([], "mails").explain(mail())[-1] == ("default", True, "no condition", "topic mails")


@pytest.mark.parametrize("pattern", ["(a", "(?<=x)y", r"(a)\1"])
def test_a_pattern_that_is_not_re2s_is_a_mistake_in_the_settings(pattern: str) -> None:
    with pytest.raises(ConfigError, match=r"rule: headers\.subject .* is no RE2 pattern: [a-z]"):
        Router([rule(headers={"subject": pattern})], "mails")


def test_a_pattern_that_would_backtrack_for_ever_takes_no_time() -> None:
    hostile = mail(("a" * 60 + " ") * 1000)
    before = time.process_time()
    assert topic([rule(headers={"subject": "^(([a-z ])+.)+[A-Z]([a-z ])+$"})], hostile) == "mails"
    assert time.process_time() - before < 5


def test_what_a_mail_says_of_itself_cannot_make_an_explanation_long() -> None:
    rows = Router([rule(headers={"to": "x"})], "mails").explain(Mail.of(b"To: y\n" * 10**5, "s", "n", 0))
    assert len(rows[0].why) < 500


ASKS_ALL = Router(
    [
        rule(name="a", headers={"subject": "axe"}),
        rule(name="b", has_attachment=True, headers={"from": "nobody"}),
        rule(name="c", attachment_type=(".pdf", "image/*")),
        rule(name="d", headers={"subject": "no such word"}),
    ],
    "mails",
)
WORDS = st.sampled_from(
    [
        b"Subject: ",
        b"From: ",
        b"\nContent-Type: multipart/mixed; boundary=",
        b"\nContent-Type: application/x; name",
        b"\nContent-Disposition: attachment; filename",
        *(
            b"*=",
            b"*0=",
            b"*0*=",
            b"*1=",
            b"=",
            b"''",
            b'"',
            b";",
            b"\\",
            b"%ff",
            b"%00",
            b"\0",
            b"\n",
            b"\n\n",
            b"--b",
        ),
        *(b"=?%s?q?" % charset for charset in (b"utf-7", b"unicode_escape", b"idna", b"punycode", b"\xe9", b"utf-16")),
        *(b"=?utf-8?b?", b"?=", b"+2AA-", b"=5Cud800", b"=d8=00", b"idna''", b"undefined''", b"axe", b"\xff"),
    ]
)


@given(st.lists(WORDS | st.binary(max_size=6), max_size=60).map(b"".join))
def test_no_header_however_odd_is_beyond_the_rules(raw: bytes) -> None:
    ASKS_ALL.explain(Mail.of(raw, "drop:/mail", "m", 0))  # which, unlike route, lets every error out


def test_a_mail_over_which_the_rules_fail_goes_the_default_way_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def chunks() -> Iterator[bytes]:
        raise RecursionError("nobody thought of this")

    odd = replace(mail(), chunks=chunks)
    assert Router([rule(has_attachment=True)], "mails").route(odd).topic == "mails"
    assert "go" in caplog.text
    assert "nobody thought of this" in caplog.text


def test_a_mail_that_cannot_be_read_is_not_routed_but_tried_again() -> None:
    def chunks() -> Iterator[bytes]:
        raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        Router([rule(has_attachment=True)], "mails").route(replace(mail(), chunks=chunks))
