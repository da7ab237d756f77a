from __future__ import annotations

import asyncio
import grp
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conf import ConfigError, LmtpSettings, Settings
from ingest.lmtp.protocol import Service
from ingest.lmtp.server import MAX_PATH_BYTES, _unix_socket, serve


@pytest.fixture
def once(tmp_path: Path) -> Callable[[LmtpSettings], list[str]]:
    """Serves until it listens, and ends; where it listened. Looks at each address with `look` meanwhile."""

    def run(lmtp: LmtpSettings, look: Callable[[str], None] = lambda _: None) -> list[str]:
        heard: list[str] = []
        wanted = (lmtp.socket is not None) + bool(lmtp.address)

        def listening(address: str) -> None:
            heard.append(address)
            look(address)
            if len(heard) == wanted:
                os.kill(os.getpid(), signal.SIGTERM)

        async def deliver(*_: object) -> list[str]:
            raise AssertionError

        service = Service(deliver, lambda _: True, tmp_path, 1000, 10, 10)
        asyncio.run(serve(lmtp, service, listening))
        return heard

    return run


Once = Callable[..., list[str]]


def test_the_socket_is_its_owners_alone_and_goes_with_the_daemon(settings: Settings, once: Once) -> None:
    path = settings.lmtp.socket
    assert path is not None
    modes: list[int] = []
    assert once(settings.lmtp, lambda _: modes.append(path.stat().st_mode & 0o777)) == [str(path)]
    assert modes == [0o600]
    assert not path.exists()


def test_a_group_may_use_the_socket_where_it_can_pass_the_folder(
    settings: Settings, once: Once, tmp_path: Path
) -> None:
    shared = replace(settings.lmtp, group=grp.getgrgid(os.getegid()).gr_name)
    path = shared.socket
    assert path is not None
    tmp_path.chmod(0o700)
    with pytest.raises(ConfigError, match=r"cannot pass .*; `chgrp .*` and `chmod 710"):
        once(shared)
    assert not path.exists()
    tmp_path.chmod(0o710)
    found: list[tuple[int, int]] = []
    once(shared, lambda _: found.append((path.stat().st_mode & 0o777, path.stat().st_gid)))
    assert found == [(0o660, os.getegid())]


def test_the_socket_of_a_daemon_that_died_is_taken_over(settings: Settings, once: Once) -> None:
    path = settings.lmtp.socket
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert once(settings.lmtp) == [str(path)]


def test_the_socket_of_a_daemon_that_lives_is_left_to_it(settings: Settings, once: Once) -> None:
    with socket.socket(socket.AF_UNIX) as living:
        living.bind(str(settings.lmtp.socket))
        living.listen()
        with pytest.raises(OSError, match="another daemon"):
            once(settings.lmtp)
    assert settings.lmtp.socket is not None
    assert settings.lmtp.socket.exists()


def test_the_socket_of_a_daemon_whose_queue_is_full_is_left_to_it(settings: Settings, once: Once) -> None:
    with socket.socket(socket.AF_UNIX) as living, socket.socket(socket.AF_UNIX) as waiting:
        living.bind(str(settings.lmtp.socket))
        living.listen(0)
        waiting.connect(str(settings.lmtp.socket))
        with pytest.raises(OSError, match="another daemon"):
            once(settings.lmtp)


def test_the_socket_of_a_daemon_that_does_not_listen_yet_is_left_to_it(settings: Settings, once: Once) -> None:
    path = settings.lmtp.socket
    assert path is not None
    inode = 0

    def look(_: str) -> None:
        """As the daemon is between bind and listen: its lock held, and nobody answers."""
        nonlocal inode
        path.unlink()
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(path))
        inode = path.lstat().st_ino
        with pytest.raises(OSError, match="another daemon"), _unix_socket(path, ""):
            pass

    once(settings.lmtp, look)
    assert path.lstat().st_ino == inode


def test_a_file_in_the_place_of_the_socket_is_not_removed(settings: Settings, once: Once) -> None:
    assert settings.lmtp.socket is not None
    settings.lmtp.socket.write_text("mine")
    with pytest.raises(FileExistsError, match="no socket"):
        once(settings.lmtp)
    assert settings.lmtp.socket.read_text() == "mine"


@pytest.mark.parametrize("address", ["127.0.0.1:0", "[::1]:0", "localhost:0"])
def test_it_listens_on_loopback_besides(settings: Settings, once: Once, address: str) -> None:
    heard = once(replace(settings.lmtp, address=address))
    assert len(heard) == 2
    named = address.strip("[").partition("]")[0].removesuffix(":0")
    assert heard[1].rpartition(":")[0] == named.replace("localhost", "127.0.0.1")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"address": "0.0.0.0:2424"}, r"can be reached from elsewhere.*\(beyond_loopback = true lets others in\)$"),
        ({"address": "[::]:2424"}, "can be reached from elsewhere"),
        ({"address": "10.1.2.3:2424"}, "can be reached from elsewhere"),
        ({"address": "1.2.3:2424"}, r"\[lmtp\] address: '1\.2\.3:2424' is no IP:PORT, such as 127\.0\.0\.1:9464$"),
        ({"address": "127.0.0.1:70000"}, r"'70000' is no port: it is a number up to 65535$"),
        ({"address": "", "socket": None}, "nothing to listen on"),
        ({"socket": Path("/" + "x" * MAX_PATH_BYTES)}, "at most 107 bytes"),
        ({"group": "no-such-group"}, "there is no such group"),
    ],
)
def test_where_it_cannot_or_may_not_listen_it_says_so(
    settings: Settings, once: Once, change: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError, match=says):
        once(replace(settings.lmtp, **change))


def test_other_addresses_are_served_when_told_so(settings: Settings, once: Once) -> None:
    lmtp = replace(settings.lmtp, socket=None, address="0.0.0.0:0", beyond_loopback=True)
    assert once(lmtp)[0].startswith("0.0.0.0:")
