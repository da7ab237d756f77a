"""A sign of life to somebody else, who tells when it does not come: all that is here may be dead."""

from __future__ import annotations

import logging
from threading import Thread

from ops.alerts.sinks.taking import NotTaken
from ops.alerts.sinks.webhook import ask

TIMEOUT_S = 10.0

logger = logging.getLogger(__name__)


def beat(url: str) -> None:
    """Ask the URL, for so long at most. Where that fails it is told in a message: who waits for it tells somebody."""
    asking = Thread(target=_ask, args=(url,), daemon=True)  # its own limit is of each step, however many there are
    asking.start()
    asking.join(TIMEOUT_S)
    if asking.is_alive():
        logger.warning("no heartbeat: no answer in %g s", TIMEOUT_S)


def _ask(url: str) -> None:
    try:
        ask("GET", url, TIMEOUT_S)
    except NotTaken as failure:
        logger.warning("no heartbeat: %s", failure)
    except Exception as error:  # noqa: BLE001 -- it must not end the look; by its kind alone, for an URL may be a secret
        logger.warning("no heartbeat: %s", type(error).__name__)
