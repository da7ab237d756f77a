"""The command `otclog lmtp`."""

from __future__ import annotations

import asyncio

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.heartbeat import Heartbeat
from conf.messages import tell
from conf.settings import LmtpSettings
from ingest.command import Total, counted, reporting
from ingest.opening import intake_log


def lmtp(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Take mail over LMTP into the log: 250 is answered when the record is durable, 451 when it cannot be now.

    Listens where [lmtp] says. Ends on SIGTERM or Ctrl-C after the mails under way; a second signal ends it at once.
    With --json: a line when it listens, then one a batch. The log is tended meanwhile, as `otclog log tend` does.

    Examples:
      otclog lmtp
      otclog-deliver < mail.eml
    """
    from ingest.lmtp.daemon import run  # aiosmtpd is loaded here alone

    def listening(address: str) -> None:
        if as_json:
            emit([{"listening": address}], as_json=True)
        else:
            tell(f"otclog: listening on {address}")

    with (
        errors_to_exit_codes(),
        intake_log(config) as (settings, log),
        Heartbeat(settings.log.root, "lmtp", _where(settings.lmtp)) as heartbeat,
        reporting(Total("not taken"), "serving", as_json=as_json) as report,
    ):
        asyncio.run(run(log, settings, counted(heartbeat, report), listening, heartbeat.beat))


def _where(settings: LmtpSettings) -> str:
    return ", ".join(str(each) for each in (settings.socket, settings.address) if each)
