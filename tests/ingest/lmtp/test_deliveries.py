from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from conf import Settings
from ingest.folders.serving import Batch
from ingest.incoming import Incoming
from ingest.lmtp.deliveries import Arrival, Deliveries, taker
from log import CommitLog, StoredRecord
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

Stored = Callable[[CommitLog, str], list[StoredRecord]]


@pytest.fixture
def arrival(tmp_path: Path) -> Iterator[Callable[..., Arrival]]:
    with ExitStack() as held:

        def make(raw: bytes, *recipients: str) -> Arrival:
            mail = held.enter_context(closing(Incoming(10**9, tmp_path)))
            mail.add(raw)
            return Arrival(mail, recipients or ("a@here",))

        yield make


def test_every_mail_of_a_batch_gets_its_place_and_a_known_one_the_place_it_had(
    commit_log: CommitLog,
    settings: Settings,
    stored: Stored,
    a_mail: Callable[..., bytes],
    arrival: Callable[..., Arrival],
) -> None:
    batches: list[Batch] = []
    with closing(Deliveries(commit_log, settings, batches.append)) as deliveries:
        first = deliveries.publish([arrival(a_mail(number)) for number in range(5)])
        again = deliveries.publish([arrival(a_mail(number)) for number in (7, 3)])
    assert [each.value for each in stored(commit_log, "mails")] == [a_mail(number) for number in (0, 1, 2, 3, 4, 7)]
    assert len({reply for (reply,) in first}) == 5
    assert again[1] == [first[3][0].replace(" is ", " was ")]
    assert [(batch.source, batch.mails, batch.published) for batch in batches] == [("lmtp", 5, 5), ("lmtp", 2, 1)]
    files = [dict(each.headers)["file"] for each in stored(commit_log, "mails")]
    assert len(set(files)) == len(files)


def test_a_large_mail_goes_to_the_claim_store(
    commit_log: CommitLog,
    settings: Settings,
    stored: Stored,
    a_mail: Callable[..., bytes],
    arrival: Callable[..., Arrival],
) -> None:
    large = a_mail(1, size=settings.log.inline_max_bytes)
    with closing(Deliveries(commit_log, settings, lambda _: None)) as deliveries:
        ((reply,),) = deliveries.publish([arrival(large)])
    assert reply.startswith("250")
    (record,) = stored(commit_log, "mails")
    assert "claim" in dict(record.headers)
    assert any(path.stat().st_size == len(large) for path in settings.log.replicas[0].rglob("claims/**/*"))


@pytest.mark.slow
def test_while_the_log_cannot_take_it_a_mail_is_to_be_tried_again(
    commit_log: CommitLog,
    settings: Settings,
    stored: Stored,
    a_mail: Callable[..., bytes],
    arrival: Callable[..., Arrival],
) -> None:
    batch = [arrival(a_mail(1, "held@x.example")), arrival(a_mail(2, "free@y.example"))]
    with closing(Deliveries(commit_log, settings, lambda _: None)) as deliveries:
        deliveries.begin()
        deliveries.publish([arrival(a_mail(0))])  # of partitions added since nothing is left to learn
        held = partition_for(commit_log, "mails", b"held@x.example")
        assert held != partition_for(commit_log, "mails", b"free@y.example")
        with closing(EmbeddedLog(settings.log)) as other, other.exclusive(held):
            assert [reply[:3] for (reply,) in deliveries.publish(batch)] == ["451", "250"]
        assert [reply[:3] for (reply,) in deliveries.publish(batch)] == ["250", "250"]
        deliveries.end()
        assert deliveries.publish([arrival(a_mail(3))])[0][0][:3] == "451"
    assert len(stored(commit_log, "mails")) == 3


@pytest.mark.parametrize(
    ("patterns", "taken", "refused"),
    [
        (("*",), ["a@b", "c"], []),
        (("Desk@*.example", "boss@here"), ["desk@X.Example", "BOSS@here"], ["desk@example", "boss@there"]),
        ((), [], ["a@b"]),
    ],
)
def test_recipients_are_patterns_without_regard_to_case(
    patterns: tuple[str, ...], taken: list[str], refused: list[str]
) -> None:
    takes = taker(patterns)
    assert all(map(takes, taken))
    assert not any(map(takes, refused))
