"""Is a value far from what was usual? Of both, `usual` are the values of days before, in order."""

from __future__ import annotations

from datetime import timedelta
from statistics import mean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FAR = 5.0  # standard deviations of the usual days
LASTS = timedelta(days=14)  # an alarm, without a good day: then this is usual


def has_fallen(value: float, usual: Sequence[float], limit: float, far: float) -> bool:
    """To less than a share `limit` of the least but one, and `far` deviations below them; or to none, as no day was."""
    is_none_left = value == 0 < usual[0]
    return is_none_left or (value < usual[1] * limit and value < mean(usual[1:]) - far * stdev(usual[1:]))


def has_risen(value: float, usual: Sequence[float], limit: float, far: float) -> bool:
    """Beyond `limit`, twice the most but one, and `far` deviations above them."""
    return value > max(limit, 2 * usual[-2], mean(usual[:-1]) + far * stdev(usual[:-1]))
