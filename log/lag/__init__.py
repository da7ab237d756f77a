"""How far groups are behind, what that means, and what was seen of it before: over the interface."""

from log.lag.behind import Lag, lag, losses, not_begun
from log.lag.history import History, history_of
from log.lag.judging import Judged, State
from log.lag.looking import Found, LagMonitor

__all__ = ["Found", "History", "Judged", "Lag", "LagMonitor", "State", "history_of", "lag", "losses", "not_begun"]
