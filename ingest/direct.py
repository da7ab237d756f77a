"""`otclog-deliver --direct`: the same delivery without a daemon, by opening the log. Slower to start, as durable."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from conf.messages import flush_messages
from conf.process import prepare
from ingest.incoming import Incoming
from ingest.lmtp.deliveries import Arrival, Deliveries, taker
from ingest.lmtp.replies import NO_ROOM, NO_SUCH_RECIPIENT, too_large
from ingest.opening import check_intake, refuse_a_second
from log import open_log
from log.command import share_with_log

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from conf import Settings


def append(chunks: Iterable[bytes], recipient: str, config: Path | None) -> str:
    """The reply that the daemon would give. Raises ConfigError, LogError, OSError."""
    settings = prepare(config)
    try:
        return _reply(chunks, recipient, settings)
    finally:
        flush_messages()


def _reply(chunks: Iterable[bytes], recipient: str, settings: Settings) -> str:
    if not taker(settings.lmtp.recipients)(recipient):
        return NO_SUCH_RECIPIENT
    check_intake(settings.ingest)
    refuse_a_second(settings)
    with (
        closing(open_log(settings.log)) as log,
        closing(Incoming(settings.ingest.max_mail_bytes, settings.log.root)) as mail,
        closing(Deliveries(log, settings, lambda _: None)) as deliveries,
    ):
        share_with_log(settings)
        for chunk in chunks:
            mail.add(chunk)
            if mail.too_large:
                return too_large(settings.ingest.max_mail_bytes)
            if mail.failed:
                return NO_ROOM
        return deliveries.publish([Arrival(mail, (recipient,))])[0][0]
