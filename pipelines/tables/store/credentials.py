"""Keys of an object store, by the names of the environment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conf.settings import ConfigError
from log.disk.credentials import read_credentials

if TYPE_CHECKING:
    from pathlib import Path

_NAMES = re.compile(r"(?:AWS|AZURE|GOOGLE)_\w+")

# What obstore knows of connections by these prefixes, too; where it is given among a store's settings it panics.
_CONNECTIONS = re.compile(
    r"[A-Z]+_(ALLOW_HTTP|ALLOW_INVALID_CERTIFICATES|\w*TIMEOUT|HTTP[12]_\w+|POOL_\w+|PROXY_\w+|ROOT_CERTIFICATE"
    r"|DEFAULT_CONTENT_TYPE|DEFAULT_HEADERS|RANDOMIZE_ADDRESSES|USER_AGENT)"
)


def read_keys(file: Path) -> dict[str, str]:
    """Lines `AWS_ACCESS_KEY_ID=…` of a file that is its owner's alone. Raises ConfigError."""
    try:
        keys = read_credentials(file, "[tables] credentials", _NAMES, "begins with AWS_, AZURE_ or GOOGLE_")
    except ValueError as error:
        raise ConfigError(str(error)) from error
    for name in filter(_CONNECTIONS.fullmatch, keys):
        raise ConfigError(f"{file}: {name} is no setting of a store")
    return keys
