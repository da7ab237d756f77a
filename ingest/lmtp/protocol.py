"""LMTP on one connection (RFC 2033): aiosmtpd's, with a reply for each recipient, bounded memory, and BDAT.

aiosmtpd's LMTP renames EHLO and else answers as SMTP does: one reply a mail, also where RFC 2033 wants one for each
recipient, so DATA is our own here. BDAT (RFC 3030) beside it carries a mail byte by byte as it is, without line ends
and leading dots changed under way: `otclog-deliver` uses it.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import syntax

from ingest.lmtp.intake import Intake

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from aiosmtpd.smtp import SMTP, Envelope, Session

logger = logging.getLogger(__name__)

PIECE_BYTES = 1 << 16  # read at once; a connection's buffer holds up to twice as much
RECIPIENTS = 100  # of one mail; RFC 5321, 4.5.3.1.8
LARGE_MAILS = 2  # mails above intake.SMALL_BYTES that may be in memory at once
END = b".\r\n"

_CHUNK = re.compile(r"(\d{1,19})( +LAST)?", re.IGNORECASE)


@dataclass(slots=True)
class Service:
    """What all connections share."""

    deliver: Callable[[bytes, Sequence[str]], Awaitable[list[str]]]  # a reply for each recipient, once it is settled
    takes: Callable[[str], bool]  # whether a recipient is ours
    max_bytes: int  # of a mail
    connections: int  # at once
    timeout_s: float  # for a command, its data and its answer
    large: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LARGE_MAILS))
    open: set[Connection] = field(default_factory=set)
    ending: bool = False
    idle: asyncio.Event = field(default_factory=asyncio.Event)  # after `end`: set when the last connection has gone

    def end(self) -> None:
        """Take no more mail; connections end as soon as none is under way on them."""
        self.ending = True
        for connection in list(self.open):
            connection.end_when_idle()
        self.notice_idle()

    def notice_idle(self) -> None:
        """Set `idle` if that is so."""
        if self.ending and not self.open:
            self.idle.set()


class Connection(LMTP):
    """One client."""

    line_length_limit = PIECE_BYTES

    def __init__(self, service: Service) -> None:
        self._service = service
        self._intake: Intake | None = None  # the mail under way: being sent, or waiting for its fate
        super().__init__(
            _Hooks(service),
            data_size_limit=service.max_bytes,
            enable_SMTPUTF8=True,
            hostname="localhost",
            ident="otclog LMTP",
            timeout=service.timeout_s,
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, unless there are too many."""
        if self._service.ending or len(self._service.open) >= self._service.connections:
            _farewell(transport, "too many connections")
            return
        self._service.open.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the mail under way, if any: it was not acknowledged."""
        if self not in self._service.open:
            return
        self._service.open.remove(self)
        self._drop_intake()
        super().connection_lost(error)
        self._service.notice_idle()

    def end_when_idle(self) -> None:
        """Close now, or with the reply to the mail under way."""
        if self._intake is None and self.transport is not None:
            _farewell(self.transport, "otclog is ending")

    def cut(self) -> None:
        """Close now; a mail under way is not acknowledged."""
        if self.transport is not None:
            self.transport.close()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:
        """The mail in lines, up to a lone dot."""
        if arg:
            await self.push("501 Syntax: DATA")
        elif self._intake is not None:
            await self.push("503 Error: DATA after BDAT")
        elif not self._recipients():
            await self.push("503 Error: need RCPT command")
        else:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            # The dot and its line end are no part of the mail. Dots put before other dots count; who sends
            # exactly the limit by DATA, with lines that begin with a dot, is over it.
            self._intake = intake = Intake(self._service.max_bytes + len(END), self._service.large)
            await self._read_to_dot(intake)
            mail = intake.take()[: -len(END)]
            await self._settle(intake, mail[mail.startswith(b".") :].replace(b"\r\n.", b"\r\n"))

    @syntax("BDAT size [LAST]")
    async def smtp_BDAT(self, arg: str | None) -> None:
        """The mail in chunks of stated size, its bytes as they are."""
        chunk = _CHUNK.fullmatch(arg or "")
        if chunk is None:
            await self.push("501 Syntax: BDAT size [LAST]")
            self.cut()  # how many bytes follow cannot be known
            return
        if not self._recipients():
            await self._read_chunk(int(chunk[1]), Intake(0, self._service.large))
            await self.push("503 Error: need RCPT command")
            return
        self._intake = intake = self._intake or Intake(self._service.max_bytes, self._service.large)
        await self._read_chunk(int(chunk[1]), intake)
        if chunk[2]:
            await self._settle(intake, intake.take())
        else:
            await self.push(f"250 {chunk[1]} bytes received")

    async def _read_to_dot(self, intake: Intake) -> None:
        """Read up to the line that is a lone dot, which must stand between CR LFs: else one mail could become two."""
        tail = b"\r\n"
        while tail[-5:] != b"\r\n" + END:
            try:
                piece = await self._reader.readuntil(END)
            except asyncio.LimitOverrunError as overrun:
                piece = await self._reader.readexactly(overrun.consumed)
            tail = tail[-4:] + piece[-5:]
            await intake.add(piece)

    async def _read_chunk(self, size: int, intake: Intake) -> None:
        while size > 0:
            piece = await self._reader.read(min(size, PIECE_BYTES))
            size -= len(piece)
            await intake.add(piece)

    async def _settle(self, intake: Intake, mail: bytes) -> None:
        """Tell each recipient's fate."""
        recipients = self._recipients()
        if intake.too_large:
            replies = [f"552 5.3.4 a mail may have {self._service.max_bytes} bytes"] * len(recipients)
        else:
            replies = await self._service.deliver(mail, recipients)
        self._set_post_data_state()
        await self.push("\r\n".join(replies))
        if self._service.ending:
            self.cut()

    def _recipients(self) -> list[str]:
        return list(self.envelope.rcpt_tos) if self.envelope is not None else []

    def _set_post_data_state(self) -> None:
        """A mail has ended, or was given up (RSET, LHLO)."""
        self._drop_intake()
        super()._set_post_data_state()  # type: ignore[no-untyped-call]

    def _drop_intake(self) -> None:
        if self._intake is not None:
            self._intake.close()
            self._intake = None


class _Hooks:
    """What aiosmtpd asks."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def handle_EHLO(  # noqa: N802, PLR0917 -- aiosmtpd's name and signature
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", "250-CHUNKING", responses[-1]]

    async def handle_RCPT(  # noqa: N802, PLR0917 -- the same
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients"
        if not self._service.takes(address):
            return "550 5.1.1 no such recipient"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        logger.error("a connection failed", exc_info=error)
        return "451 4.3.0 otclog failed; try again"


def _farewell(transport: asyncio.BaseTransport, why: str) -> None:
    cast("asyncio.WriteTransport", transport).write(f"421 4.3.2 {why}; try again\r\n".encode())
    transport.close()
