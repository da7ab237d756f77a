"""`otclog-deliver --direct`: the same delivery without a daemon, by opening the log. Slower to start, as durable."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import conf
from ingest.lmtp.commit import Arrival
from ingest.lmtp.deliveries import Deliveries, taker, too_large
from ingest.publish import make_topic
from log import open_log

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def append(chunks: Iterable[bytes], recipient: str, config: Path | None) -> str:
    """The reply that the daemon would give. Raises ConfigError, LogError, LedgerUnavailable, OSError."""
    settings = conf.load(config)
    if not taker(settings.lmtp.recipients)(recipient):
        return NO_SUCH_RECIPIENT
    mail = bytearray()
    for chunk in chunks:
        mail += chunk
        if len(mail) > settings.ingest.max_mail_bytes:
            return too_large(settings.ingest.max_mail_bytes)
    os.umask(0o077)
    with (
        closing(open_log(settings.log)) as log,
        closing(Deliveries(log, settings.ingest, lambda _: None)) as deliveries,
    ):
        make_topic(log, settings.ingest.topic, settings.ingest.partitions)
        return deliveries([Arrival(bytes(mail), (recipient,))])[0][0]
