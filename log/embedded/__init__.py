"""The embedded backend."""

from log.embedded.log import EmbeddedLog

__all__ = ["EmbeddedLog"]
