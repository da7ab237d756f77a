"""Keys of an object store, out of a file that is its owner's alone. Nothing here ever shows a value."""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING

from conf.private import OTHERS
from conf.settings import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(r"(?:export\s+)?((?:AWS|AZURE|GOOGLE)_\w+)\s*=\s*(.*)")

# What obstore knows of connections by these prefixes, too; where it is given among a store's settings it panics.
_CONNECTIONS = re.compile(
    r"[A-Z]+_(ALLOW_HTTP|ALLOW_INVALID_CERTIFICATES|\w*TIMEOUT|HTTP[12]_\w+|POOL_\w+|PROXY_\w+|ROOT_CERTIFICATE"
    r"|DEFAULT_CONTENT_TYPE|DEFAULT_HEADERS|RANDOMIZE_ADDRESSES|USER_AGENT)"
)


def read_credentials(file: Path) -> dict[str, str]:
    """Lines `AWS_ACCESS_KEY_ID=…`, by the names of the environment; blank ones and comments are left out.

    Raises ConfigError where the file cannot be read, may be read by others, or has a line of another form.
    """
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & OTHERS:
            raise ConfigError(f"{file} is open to others (mode {mode:o}): chmod 600 {file}")
        lines = file.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: not a text in UTF-8; a line is NAME=value") from None
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}; [tables] credentials names this file") from error
    found = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            parsed = _LINE.fullmatch(text)
            if parsed is None:
                wanted = "NAME=value, and NAME begins with AWS_, AZURE_ or GOOGLE_"
                raise ConfigError(f"{file}, line {number}: a line is {wanted}")
            if _CONNECTIONS.fullmatch(parsed[1]):
                raise ConfigError(f"{file}, line {number}: {parsed[1]} is no setting of a store")
            found[parsed[1]] = _unquoted(parsed[2])
    return found


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value
