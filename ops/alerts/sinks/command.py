"""By a program of the user's: the event as JSON on its standard input; it has taken it when it ends with 0."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from conf.printable import printable
from ops.alerts.sinks.taking import NotTaken, text_of

if TYPE_CHECKING:
    from conf.alerting import SinkSettings
    from ops.alerts.outbox import Told

SAID_BYTES = 200


def send(sink: SinkSettings, told: Told) -> None:
    """Return when it has ended with 0. Raises NotTaken.

    What it started is killed with it at its time limit, but for what it put into a session of its own.
    """
    body = {**told.fields, "id": told.id, "detail": told.fields["text"], "text": text_of(sink, told)}
    with TemporaryFile() as said:  # a pipe would stay open as long as anything that it started
        try:
            process = subprocess.Popen(
                sink.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True
            )
        except OSError as error:
            raise NotTaken(f"{sink.command[0]}: {error.strerror}") from error
        try:
            process.communicate(json.dumps(body).encode(), sink.timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise NotTaken(f"{sink.command[0]}: has not ended after {sink.timeout_s:g} s") from None
        said.seek(0)
        shown = printable(said.read(SAID_BYTES).decode("utf-8", "replace").strip())
    if process.returncode:
        raise NotTaken(f"{sink.command[0]}: ended with {process.returncode}: {shown}")
