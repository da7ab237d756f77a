"""By mail: one a change, over TLS that is verified, or plain to this machine."""

from __future__ import annotations

import smtplib
import socket
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate
from typing import TYPE_CHECKING

from conf.printable import printable
from ops.alerts.outbox import Left
from ops.alerts.sinks.taking import NotTaken, NotTakenByAll, secrets_of, text_of, verified_by

if TYPE_CHECKING:
    from conf.alerting import SinkSettings
    from ops.alerts.outbox import Told

SUBJECT_CHARACTERS = 150
FOR_GOOD = 500  # from this code on; below it a server says: later (RFC 5321, 4.2.1), as who greylists does
_OUR_NAME = "localhost"  # to the server; else DNS is asked for it, which may take long


def send(sink: SinkSettings, told: Told) -> None:
    """Return when the server has taken it. Raises NotTaken; NotTakenByAll, where it does not for some, now or ever."""
    to = [address for address in sink.to if not told.whom or address in told.whom]
    if not to:
        return  # who was still to be told is not in `to` any more
    secrets = secrets_of(sink)
    try:
        server = _connected(sink)
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken(f"{sink.server}: {_said(error)}") from error
    try:
        if sink.security == "starttls":
            server.starttls(context=verified_by(sink.ca))
        if secrets:
            server.login(secrets.get("username", ""), secrets.get("password", ""))
        refused = server.send_message(_mail(sink, told), to_addrs=to)
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken(f"{sink.server}: {_said(error)}") from error
    finally:
        with suppress(OSError, smtplib.SMTPException):  # it has the mail, or it has not
            server.quit()
        server.close()
    if refused:
        whom = ", ".join(f"{address} ({code})" for address, (code, _) in refused.items())
        later = tuple(address for address, (code, _) in refused.items() if code < FOR_GOOD)
        left = Left(later, tuple(address for address in refused if address not in later))
        raise NotTakenByAll(f"{sink.server}: takes no mail for {whom}", left)


def _connected(sink: SinkSettings) -> smtplib.SMTP:
    if sink.security == "tls":
        tls = verified_by(sink.ca)
        return smtplib.SMTP_SSL(sink.host, sink.port, _OUR_NAME, timeout=sink.timeout_s, context=tls)
    return smtplib.SMTP(sink.host, sink.port, _OUR_NAME, timeout=sink.timeout_s)


def _mail(sink: SinkSettings, told: Told) -> EmailMessage:
    mail = EmailMessage()
    text = text_of(sink, told)
    mail["From"] = sink.sender
    mail["To"] = ", ".join(sink.to)
    mail["Subject"] = f"[otclog] {text}"[:SUBJECT_CHARACTERS]
    mail["Date"] = formatdate()
    mail["Message-ID"] = f"<{told.id}@{socket.gethostname()}>"
    mail["Auto-Submitted"] = "auto-generated"
    lines = [text, "", *(f"{name}: {printable(value)}" for name, value in told.fields.items())]
    mail.set_content("\n".join(lines) + "\n")
    return mail


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"{error.smtp_code}: the login is refused"  # what the server says besides may repeat the password
    if isinstance(error, smtplib.SMTPResponseException):
        return printable(f"{error.smtp_code} {error.smtp_error!r}")
    return printable(str(error)) or type(error).__name__
