"""Where an object store is reached that is not its vendor's own: the names by which obstore and delta-rs are told."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

FOR_S3_ALONE = "AWS_ENDPOINT_URL_S3"  # heeded above all others, and in the environment alone
ENDPOINTS = (FOR_S3_ALONE, "AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AZURE_STORAGE_ENDPOINT", "GOOGLE_BASE_URL")


def is_plain(keys: Mapping[str, str]) -> bool:
    """Whether the endpoint among these keys is one without TLS.

    Raises ValueError for one that is no address: obstore would end in a panic. It is not shown, for it may hold a key.
    """
    given = {name: keys[name] for name in ENDPOINTS if keys.get(name)}
    for name, value in given.items():
        if not _is_address(value):
            raise ValueError(f"{name} is no address of an object store: write https://HOST or https://HOST:PORT")
    return next(iter(given.values()), "").startswith("http://")


def _is_address(value: str) -> bool:
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:  # of a port that cannot be, or brackets
        return False
    host = url.hostname or ""
    return url.scheme in {"http", "https"} and bool(host) and port != 0 and not any(map(str.isspace, value))
