"""Mails of a desk as its mail program writes them."""

from __future__ import annotations

from email.message import EmailMessage


def mail(text: str = "", subject: str = "run", **headers: str) -> EmailMessage:
    """A mail of one part; more headers by name, `_` for `-`."""
    message = EmailMessage()
    message["From"] = "Remy Castellane <Remy@Desk.Example>"
    message["Subject"] = subject
    message["Date"] = "Wed, 18 Nov 2026 08:33:00 -0500"
    message["Message-ID"] = "<1@desk.example>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message
