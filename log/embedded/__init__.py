"""The embedded backend. Its codec brings all of aiokafka with it, so `EmbeddedLog` is loaded when it is asked for.

Claims, consumers and commands use the files and locks beside it, and start without that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from log.embedded.log import EmbeddedLog

__all__ = ["EmbeddedLog"]


def __getattr__(name: str) -> Any:
    if name != "EmbeddedLog":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from log.embedded.log import EmbeddedLog

    return EmbeddedLog
