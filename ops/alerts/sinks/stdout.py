"""By a line on standard output, which cron mails and systemd's journal keeps."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ops.alerts.sinks.taking import NotTaken, text_of

if TYPE_CHECKING:
    from conf.alerting import SinkSettings
    from ops.alerts.outbox import Told


def send(sink: SinkSettings, told: Told) -> None:
    """Return when it is written. Raises NotTaken."""
    try:
        sys.stdout.write(f"{text_of(sink, told)}\n")
        sys.stdout.flush()
    except OSError as error:
        raise NotTaken(f"standard output: {error.strerror}") from error
