"""The daemon: listens on a Unix socket, on an address, or on both, until it is asked to end."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import grp
import os
import signal
import socket
import stat
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from conf.settings import ConfigError
from conf.values import place_to_listen
from ingest.lmtp.protocol import Connection, Service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from ipaddress import IPv4Address, IPv6Address

    from conf.settings import LmtpSettings

DRAIN_S = 15.0  # a mail still being sent so long after the request to end is cut off, unacknowledged
OTHERS = 0o177  # mode bits a socket is made without: it is its owner's alone
OWNER_AND_GROUP = 0o660
MAX_PATH_BYTES = 107  # of a Unix socket


async def serve(settings: LmtpSettings, service: Service, listening: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT, then finish the mails under way. Raises ConfigError, OSError."""
    loop = asyncio.get_running_loop()
    with _bound(settings) as sockets, _asked_to_end(loop) as asked:
        servers = [await loop.create_server(lambda: Connection(service), sock=each) for each in sockets]
        for each in sockets:
            listening(_name(each.getsockname()))
        await asked.wait()
        for server in servers:
            server.close()
        service.end()
        with suppress(TimeoutError):
            await asyncio.wait_for(service.idle.wait(), DRAIN_S)
        for connection in list(service.open):
            connection.cut()


@contextmanager
def _bound(settings: LmtpSettings) -> Iterator[list[socket.socket]]:
    """The sockets of the settings; a Unix socket's file goes with it."""
    if settings.socket is None and not settings.address:
        raise ConfigError("[lmtp] socket and address are both empty: there is nothing to listen on")
    with ExitStack() as held:
        sockets = []
        if settings.socket is not None:
            sockets.append(held.enter_context(_unix_socket(settings.socket, settings.group)))
        if settings.address:
            sockets.append(held.enter_context(_tcp_socket(settings.address, beyond=settings.beyond_loopback)))
        yield sockets


@contextmanager
def _unix_socket(path: Path, group: str) -> Iterator[socket.socket]:
    _check_path(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(path), socket.socket(socket.AF_UNIX) as made:
        _remove_stale(path)
        before = os.umask(OTHERS)
        try:
            made.bind(str(path))
        finally:
            os.umask(before)
        ours = path.lstat().st_ino
        try:
            if group:
                _share(path, group)
            made.listen()  # from here on a probe hears that we live
            yield made
        finally:
            with suppress(FileNotFoundError):
                if path.lstat().st_ino == ours:
                    path.unlink()


def _share(path: Path, group: str) -> None:
    """Let programs of the group deliver: only the kernel tells who connects. Raises ConfigError where it cannot be."""
    setting, folder = f'[lmtp] group = "{group}"', path.parent
    try:
        number = grp.getgrnam(group).gr_gid
        os.chown(path, -1, number)
    except KeyError:
        raise ConfigError(f"{setting}: there is no such group") from None
    except PermissionError:
        raise ConfigError(f"{setting}: otclog runs as a user who is not in that group") from None
    path.chmod(OWNER_AND_GROUP)
    status = folder.stat()
    if not status.st_mode & (stat.S_IXOTH | (stat.S_IXGRP if status.st_gid == number else 0)):
        raise ConfigError(
            f"{setting}: that group cannot pass {folder}; `chgrp {group} {folder}` and `chmod 710 {folder}` let it"
        )


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the lock beside the socket as long as the daemon lives. Raises OSError if another daemon does."""
    file = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _served(path) from None
        yield
    finally:
        os.close(file)


def _remove_stale(path: Path) -> None:
    """Remove the socket of a daemon that died. Raises OSError if one lives, also one of another program, or no socket.

    To be called under the lock: a daemon of ours that has bound its socket and does not listen yet holds it.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise FileExistsError(errno.EEXIST, "is there, and is no socket", str(path))
        with socket.socket(socket.AF_UNIX) as probe:
            probe.setblocking(False)  # a daemon whose queue is full lives
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
                return
            except BlockingIOError:
                pass
        raise _served(path)


def _served(path: Path) -> OSError:
    return OSError(errno.EADDRINUSE, "another daemon serves this socket", str(path))


def check_listening(settings: LmtpSettings) -> None:
    """Raises ConfigError where the daemon would not listen there. Binds nothing."""
    if settings.socket is not None:
        _check_path(settings.socket)
    if settings.address:
        _checked(settings.address, beyond=settings.beyond_loopback)


def _check_path(path: Path) -> None:
    if len(os.fsencode(path)) > MAX_PATH_BYTES:
        raise ConfigError(f"[lmtp] socket = {path}: a socket's path has at most {MAX_PATH_BYTES} bytes")


def _checked(address: str, *, beyond: bool) -> tuple[IPv4Address | IPv6Address, int]:
    """The address and the port."""
    try:
        return place_to_listen(address, beyond=beyond)
    except ValueError as error:
        raise ConfigError(f"[lmtp] address: {error}{_let_in(address)}") from error


def _let_in(address: str) -> str:
    """What lets others in, where that alone is wrong with an address."""
    try:
        place_to_listen(address, beyond=True)
    except ValueError:
        return ""
    return " (beyond_loopback = true lets others in)"


@contextmanager
def _tcp_socket(address: str, *, beyond: bool) -> Iterator[socket.socket]:
    ip, port = _checked(address, beyond=beyond)
    with socket.socket(socket.AF_INET6 if ip.version == 6 else socket.AF_INET) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((str(ip), port))
        yield made


@contextmanager
def _asked_to_end(loop: asyncio.AbstractEventLoop) -> Iterator[asyncio.Event]:
    """Set by the first SIGTERM or SIGINT; a second has its usual effect."""
    asked = asyncio.Event()
    numbers = (signal.SIGTERM, signal.SIGINT)

    def ask() -> None:
        for number in numbers:
            loop.remove_signal_handler(number)
        asked.set()

    for number in numbers:
        loop.add_signal_handler(number, ask)
    try:
        yield asked
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _name(bound: str | tuple[str, int]) -> str:
    return bound if isinstance(bound, str) else f"{bound[0]}:{bound[1]}"
