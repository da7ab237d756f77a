"""A sign of life to somebody else, who tells when it does not come: all that is here may be dead."""

from __future__ import annotations

import logging

from ops.alerts.sinks.taking import NotTaken
from ops.alerts.sinks.webhook import ask

TIMEOUT_S = 10.0

logger = logging.getLogger(__name__)


def beat(url: str) -> None:
    """Ask the URL. Where that fails it is told in a message: who waits for it tells somebody."""
    try:
        ask("GET", url, TIMEOUT_S)
    except NotTaken as failure:
        logger.warning("no heartbeat: %s", failure)
    except Exception as error:  # noqa: BLE001 -- it must not end the look; by its kind alone, for an URL may be a secret
        logger.warning("no heartbeat: %s", type(error).__name__)
