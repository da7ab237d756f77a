"""`otclog-deliver`: a delivery agent. Mail on stdin, to the running `otclog lmtp`, exit code 0 once it is durable.

For `mda` of fetchmail, `|` of procmail, `pipe` of Postfix. It loads nothing but the standard library, so that it starts
in a fraction of what the mail's append takes. Exit codes (sysexits.h):

    0   the log has the mail, durably
    2   usage
    65  the mail itself is refused, and would be again (EX_DATAERR: too large)
    69  refused for good for another reason (EX_UNAVAILABLE: no such recipient)
    75  try again (EX_TEMPFAIL): everything else, whatever it is, so that the caller keeps the mail
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DONE = 0
DATA_ERROR = 65
UNAVAILABLE = 69
TRY_AGAIN = 75

CHUNK_BYTES = 1 << 20
MAX_REPLY_BYTES = 4096
PACKAGED = Path(__file__).parent.parent / "conf" / "otclog.toml"  # the defaults, as `conf` reads them

_ENVELOPE = re.compile(rb"From [^\n]*\n")  # a mailbox' line, which procmail puts before a mail that it pipes


class Refused(Exception):
    """The daemon answered with something else than success."""

    def __init__(self, reply: str) -> None:
        super().__init__(reply)
        self.exit_code = DATA_ERROR if reply.startswith("552") else UNAVAILABLE if reply[:1] == "5" else TRY_AGAIN


class Daemon(NamedTuple):
    """Where `otclog lmtp` listens."""

    socket: str  # path of a Unix socket, or ""
    address: str  # IP:PORT, or ""


def main() -> int:
    """Entry point of the console script."""
    try:
        return _run()
    finally:
        _empty(sys.stdout)
        _empty(sys.stderr)


def _run() -> int:
    options = _options(sys.argv[1:])
    try:
        reply = _deliver(sys.stdin.buffer, options)
        code = DONE
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 -- no failure may look like a delivery
        reply = str(error) or type(error).__name__
        code = error.exit_code if isinstance(error, Refused) else TRY_AGAIN
    if options.json:
        import json

        _say(sys.stdout, json.dumps({"recipient": options.recipient, "exit_code": code, "reply": reply}))
    elif code != DONE:
        _say(sys.stderr, f"otclog-deliver: {ascii(reply)[1:-1]}")
    return code


def _say(stream: TextIO | None, line: str) -> None:
    """Write it if that is possible: the exit code alone tells what became of the mail."""
    if stream is not None:  # as it is when it was closed from the start
        with suppress(OSError, ValueError):
            stream.write(f"{line}\n")


def _empty(stream: TextIO | None) -> None:
    """Write out what the stream holds, or forget it: Python would try again at its end, and exit 120 in vain."""
    if stream is not None:
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _deliver(mail: BinaryIO, options: argparse.Namespace) -> str:
    """Hand the mail over; the reply of success. Raises anything."""
    if options.direct:
        from ingest.direct import append

        reply = append((chunk for chunk, _ in _chunks(mail)), options.recipient, options.config)
        if not reply.startswith("2"):
            raise Refused(reply)
        return reply
    with ExitStack() as held:
        daemon = held.enter_context(_connect(_daemon(options.config), options.timeout))
        replies = held.enter_context(daemon.makefile("rb"))
        hello = f"LHLO localhost\r\nMAIL FROM:<>\r\nRCPT TO:<{options.recipient}>\r\n"
        daemon.sendall(hello.encode("utf-8", "surrogateescape"))
        for _ in range(4):  # the greeting, and a reply each
            _reply(replies)
        for chunk, last in _chunks(mail):
            daemon.sendall(b"BDAT %d%s\r\n" % (len(chunk), b" LAST" if last else b"") + chunk)
            reply = _reply(replies)
        return reply


def _chunks(mail: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The mail in pieces, and whether it is the last."""
    chunk = _without_envelope(mail.read(CHUNK_BYTES))
    while following := mail.read(CHUNK_BYTES):
        yield chunk, False
        chunk = following
    yield chunk, True


def _without_envelope(start: bytes) -> bytes:
    envelope = _ENVELOPE.match(start)
    return start[envelope.end() :] if envelope else start


def _reply(replies: BinaryIO) -> str:
    """The last line of a reply. Raises Refused, ConnectionError."""
    line = "-" * 4
    while line[3:4] == "-":
        raw = replies.readline(MAX_REPLY_BYTES)
        if not raw.endswith(b"\n"):  # half a 250 is none
            raise ConnectionError("otclog lmtp closed the connection without a reply")
        line = raw.decode("ascii", "replace").rstrip()
    if line[:1] not in {"2", "3"}:
        raise Refused(line)
    return line


def _connect(daemon: Daemon, timeout_s: float) -> socket.socket:
    """Raises OSError, naming where `otclog lmtp` should be."""
    try:
        if not daemon.socket:
            host, _, port = daemon.address.rpartition(":")
            return socket.create_connection((host.strip("[]"), int(port)), timeout_s)
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(timeout_s)
        made.connect(daemon.socket)
    except OSError as error:
        raise OSError(f"{daemon.socket or daemon.address}: {error.strerror}; is otclog lmtp running?") from error
    return made


def _daemon(config: Path | None) -> Daemon:
    """As the environment says, which is the quickest to read, or the settings; `conf` reads the same, but slowly."""
    if path := os.environ.get("OTCLOG_LMTP_SOCKET"):
        return Daemon(path, "")
    import tomllib

    file = config or Path(os.environ.get("OTCLOG_CONFIG") or "otclog.toml")
    settings = tomllib.loads(PACKAGED.read_text("utf-8"))["lmtp"] | tomllib.loads(file.read_text("utf-8")).get(
        "lmtp", {}
    )
    path = "" if path == "" else settings["socket"] and str(file.absolute().parent / settings["socket"])
    return Daemon(path, os.environ.get("OTCLOG_LMTP_ADDRESS", settings["address"]))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "otclog-deliver",
        description="Deliver the mail on stdin to the log, by the running `otclog lmtp`.",
        epilog="Exit codes: 0 the log has it durably, 65 and 69 refused for good, 75 try again. "
        'Examples: otclog-deliver < mail.eml;  mda "otclog-deliver --config /etc/otclog/otclog.toml" (fetchmailrc)',
    )
    parser.add_argument(
        "recipient", nargs="?", default="otclog@localhost", help="whom it came for (default: %(default)s)"
    )
    parser.add_argument("--config", type=Path, help="the settings file (default: $OTCLOG_CONFIG, else ./otclog.toml)")
    parser.add_argument(
        "--timeout", type=float, default=120, help="seconds to wait for each answer (default: %(default)s)"
    )
    parser.add_argument("--direct", action="store_true", help="append to the log itself, without a daemon")
    parser.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    options = parser.parse_args(arguments)
    if re.search(r"[\x00-\x20<>\x7f]", options.recipient):
        parser.error(f"not an address: {options.recipient!a}")
    return options
