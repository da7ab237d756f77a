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

from ingest.incoming import Incoming
from ingest.lmtp import replies
from ingest.lmtp.dots import END, Unstuffer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from aiosmtpd.smtp import SMTP, Envelope, Session

logger = logging.getLogger(__name__)

PIECE_BYTES = 1 << 16  # read at once; a connection's buffer holds up to twice as much
RECIPIENTS = 100  # of one mail; RFC 5321, 4.5.3.1.8

_CHUNK = re.compile(r"(\d{1,19})( +LAST)?", re.IGNORECASE)


@dataclass(slots=True)
class Service:
    """What all connections share."""

    # Settles a mail, which is then its own to close: a reply for each recipient.
    deliver: Callable[[Incoming, Sequence[str]], Awaitable[list[str]]]
    takes: Callable[[str], bool]  # whether a recipient is ours
    spool: Path  # folder for mails that are not small, while they come in
    max_bytes: int  # of a mail
    connections: int  # at once
    timeout_s: float  # for a command, its mail and its answer
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
        self._incoming: Incoming | None = None  # the mail that is being sent
        self._settling = False
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
        """Forget the mail that was being sent, if any: it was not acknowledged."""
        if self not in self._service.open:
            return
        self._service.open.remove(self)
        self._drop_incoming()
        super().connection_lost(error)
        self._service.notice_idle()

    def end_when_idle(self) -> None:
        """Close now, or after the reply to the mail under way."""
        if self._incoming is None and not self._settling and self.transport is not None:
            _farewell(self.transport, "otclog is ending")

    def cut(self) -> None:
        """Close now; a mail under way is not acknowledged."""
        if self.transport is not None:
            self.transport.close()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 -- aiosmtpd's name
        """The mail in lines, up to a lone dot."""
        if arg:
            await self.push("501 Syntax: DATA")
        elif self._incoming is not None:
            await self.push("503 Error: DATA after BDAT")
        elif not self._recipients():
            await self.push("503 Error: need RCPT command")
        else:
            self._incoming = incoming = Incoming(self._service.max_bytes, self._service.spool)
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            dots = Unstuffer()
            while not dots.ended:
                incoming.add(dots.feed(await self._piece()))
            await self._settle()

    @syntax("BDAT size [LAST]")
    async def smtp_BDAT(self, arg: str | None) -> None:  # noqa: N802 -- the same
        """The mail in chunks of stated size, its bytes as they are."""
        chunk = _CHUNK.fullmatch(arg or "")
        if chunk is None:
            await self.push("501 Syntax: BDAT size [LAST]")
            self.cut()  # how many bytes follow cannot be known
            return
        size, is_last = int(chunk[1]), chunk[2] is not None
        wanted = bool(self._recipients())
        if wanted and self._incoming is None:
            self._incoming = Incoming(self._service.max_bytes, self._service.spool)
        if self._incoming is not None and self._incoming.size + size > self._service.max_bytes:
            await self._refuse(self._incoming.size + size, len(self._recipients()) if is_last else 1)
            await self._take(size)
            return
        await self._take(size)
        if not wanted:
            await self.push("503 Error: need RCPT command")
        elif is_last:
            await self._settle()
        else:
            await self.push(f"250 {size} bytes received")

    async def push(self, status: str | bytes) -> None:
        """Send a reply. What a client said is repeated in some, and need be no text."""
        await super().push(status.encode(errors="backslashreplace") if isinstance(status, str) else status)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """The address and what follows it; None for what is none.

        The parser below is the standard library's for headers: it says so by many an error, not by its own alone.
        """
        try:
            return super()._getaddr(arg)
        except Exception as error:  # noqa: BLE001 -- it reads this text and does nothing else, so the text is at fault
            logger.info("%a is no address: %r", arg, error)
            return None, None

    def _getparams(self, params: Sequence[str]) -> dict[str, str | bool] | None:
        """What stands behind an address; None for what is malformed, such as digits of another script in SIZE."""
        return super()._getparams(params) if all(map(str.isascii, params)) else None

    async def _piece(self) -> bytes:
        """The next bytes: up to what may be the end of the mail, or what the buffer holds of a long line."""
        try:
            return await self._reader.readuntil(END)
        except asyncio.LimitOverrunError as overrun:
            return await self._reader.readexactly(overrun.consumed)

    async def _take(self, left: int) -> None:
        """So many bytes, into the mail if one is being sent."""
        while left > 0:
            piece = await self._reader.read(min(left, PIECE_BYTES))
            left -= len(piece)
            if self._incoming is not None:
                self._incoming.add(piece)

    async def _refuse(self, size: int, count: int) -> None:
        """End a mail whose chunk would make it too large, and say so before the chunk is there.

        What comes of it is read and forgotten, and so are chunks behind it, which find no recipient (RFC 3030, 2).
        """
        logger.warning("a mail of %d bytes was not taken: too large", size, extra={"source": "lmtp"})
        self._set_post_data_state()
        await self.push("\r\n".join([replies.too_large(self._service.max_bytes)] * count))

    async def _settle(self) -> None:
        """Tell each recipient's fate."""
        incoming, self._incoming = cast("Incoming", self._incoming), None
        recipients = self._recipients()
        if incoming.too_large or incoming.failed:
            incoming.close()
            why = incoming.failed or "too large"
            logger.warning("a mail of %d bytes was not taken: %s", incoming.size, why, extra={"source": "lmtp"})
            refusal = replies.NO_ROOM if incoming.failed else replies.too_large(self._service.max_bytes)
            fates = [refusal] * len(recipients)
        else:
            self._settling = True
            fates = await self._service.deliver(incoming, recipients)
            self._settling = False
        self._set_post_data_state()
        await self.push("\r\n".join(fates))
        if self._service.ending:
            self.cut()

    def _recipients(self) -> list[str]:
        return list(self.envelope.rcpt_tos) if self.envelope is not None else []

    def _set_post_data_state(self) -> None:
        """A mail has ended, or was given up (RSET, LHLO)."""
        self._drop_incoming()
        super()._set_post_data_state()  # type: ignore[no-untyped-call]

    def _drop_incoming(self) -> None:
        if self._incoming is not None:
            self._incoming.close()
            self._incoming = None


class _Hooks:
    """What aiosmtpd asks."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def handle_EHLO(  # noqa: N802 -- the same
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", "250-CHUNKING", responses[-1]]

    async def handle_RCPT(  # noqa: N802 -- the same
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return replies.TOO_MANY_RECIPIENTS
        if address == "<>":  # a sender may be nobody (RFC 5321, 4.5.5), a recipient may not
            return replies.MALFORMED_ADDRESS
        if not self._service.takes(address):
            return replies.NO_SUCH_RECIPIENT
        envelope.rcpt_tos.append(address)
        return replies.RECIPIENT

    async def handle_exception(self, error: Exception) -> str:
        logger.error("a connection failed", exc_info=error)
        return replies.FAILED


def _farewell(transport: asyncio.BaseTransport, why: str) -> None:
    cast("asyncio.WriteTransport", transport).write(f"{replies.closing(why)}\r\n".encode())
    transport.close()
