"""Of which form a value of the settings is."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

STRICT_KEYS = ConfigDict(extra="forbid")

Count = Annotated[int, Field(ge=1, le=2**31 - 1)]
Bytes = Annotated[int, Field(ge=1, le=2**50)]
Seconds = Annotated[float, Field(gt=0, le=10 * 366 * 86_400)]  # ten years: the clocks of the system end somewhere
Share = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(pattern=r"^[a-zA-Z0-9._-]{1,249}$")]  # log.topic_rules.NAME, held to it by a test
Memory = Annotated[str, Field(pattern=r"^\d+[mg]$")]
MAX_PORT = 65_535
Port = Annotated[int, Field(ge=0, le=MAX_PORT)]  # 0: any
Url = Annotated[str, Field(pattern="://")]
LOOPBACK = "this machine alone: 127.0.0.1, [::1] or localhost"


def no_nul(path: Path) -> Path:
    """A path that the system takes. Raises ValueError."""
    if "\0" in str(path):
        raise ValueError("no file's name has a NUL")
    return path


def is_loopback(host: str) -> bool:
    """Whether a host, by its name or address (`::1`), is this machine, and nobody else reaches it by that."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def place_to_listen(text: str, *, beyond: bool = False) -> tuple[IPv4Address | IPv6Address, int]:
    """Address and port of `127.0.0.1:9464`, `[::1]:9464` or `localhost:9464`; port 0 is any.

    Raises ValueError for another form, and for an address that others reach, unless `beyond` lets them: whoever asks
    our servers is answered, by no password and no TLS.
    """
    host, _, port = text.rpartition(":")
    try:
        ip = ip_address("127.0.0.1" if host == "localhost" else host.removeprefix("[").removesuffix("]"))
    except ValueError:
        raise ValueError(f"{text!r} is no IP:PORT, such as 127.0.0.1:9464") from None
    if not (ip.is_loopback or beyond):
        raise ValueError(f"{ip} can be reached from elsewhere, by no password and no TLS; it is for {LOOPBACK}")
    if not (port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
        raise ValueError(f"{port!r} is no port: it is a number up to {MAX_PORT}")
    return ip, int(port)


File = Annotated[Path, AfterValidator(no_nul)]
