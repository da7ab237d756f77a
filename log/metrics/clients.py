"""What clients of Kafka's say of themselves (librdkafka's statistics), while somebody reads what is counted here.

A client gives its statistics to whoever polls it, and keeps them until then. One that rests is polled by who reads; so
clients are told to make any only where that was done before they were opened, as `conf.metrics` does when a process
begins. In a forked child nobody does.
"""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any

from prometheus_client import REGISTRY, Counter, Gauge
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prometheus_client import CollectorRegistry, Metric

EVERY_MS = 5_000
_BROKER = ["broker"]


class _Metrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        """`registry`: where somebody may read them."""
        self.counters = {
            "txmsgs": Counter(
                "otclog_kafka_sent_messages_total", "Records that clients sent to brokers.", registry=registry
            ),
            "txmsg_bytes": Counter(
                "otclog_kafka_sent_bytes_total", "Bytes of these, before compression.", registry=registry
            ),
        }
        self.gauges = {
            "msg_cnt": Gauge(
                "otclog_kafka_queued_messages", "Records that wait in clients to be acknowledged.", registry=registry
            ),
            "msg_size": Gauge("otclog_kafka_queued_bytes", "Bytes of these.", registry=registry),
        }
        self.broker_counters = {
            "tx": Counter("otclog_kafka_requests_total", "Requests to a broker.", _BROKER, registry=registry),
            "txerrs": Counter(
                "otclog_kafka_request_errors_total", "Requests that could not be sent.", _BROKER, registry=registry
            ),
            "txretries": Counter(
                "otclog_kafka_request_retries_total", "Requests that were sent again.", _BROKER, registry=registry
            ),
            "req_timeouts": Counter(
                "otclog_kafka_request_timeouts_total", "Requests without an answer in time.", _BROKER, registry=registry
            ),
        }
        self.up = Gauge("otclog_kafka_broker_up", "1 while a client is connected to it.", _BROKER, registry=registry)
        self.round_trip = Gauge(
            "otclog_kafka_round_trip_seconds",
            "Seconds from a request to its answer, the mean of the last five seconds with any.",
            _BROKER,
            registry=registry,
        )


class ClientStatistics:
    """Those of one client, which is opened with `settings`."""

    def __init__(self) -> None:
        self._poll: Callable[[], object] = lambda: None
        self._last: dict[str, float] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """For the client, with `_` for `.`; nothing where nobody reads."""
        return {"statistics_interval_ms": EVERY_MS, "stats_cb": self.note} if _reading.is_read else {}

    def begin(self, poll: Callable[[], object]) -> None:
        """The client is open, and gives what it has to tell when this is called."""
        self._poll = poll
        _reading.add(self)

    def end(self) -> None:
        """The client is closed: nothing waits in it any more."""
        _reading.remove(self)
        for name, gauge in _metrics.gauges.items():
            gauge.dec(self._last.pop(name, 0.0))

    def poll(self) -> None:
        """Have it tell."""
        self._poll()

    def note(self, text: str) -> None:
        """Count what came since the last time. An error would be raised by the append that polls: there is none."""
        try:
            said = json.loads(text)
            self._note(said)
            for broker in said["brokers"].values():
                if broker["nodeid"] >= 0:  # the others stand for addresses of the settings
                    self._note_broker(f"{broker['nodeid']}", broker)
        except (ValueError, TypeError, KeyError):  # of another version of the client's
            return

    def _note(self, said: Mapping[str, Any]) -> None:
        for name, counter in _metrics.counters.items():
            counter.inc(self._since(name, said[name]))
        for name, gauge in _metrics.gauges.items():
            gauge.inc(self._since(name, said[name]))

    def _note_broker(self, broker: str, said: Mapping[str, Any]) -> None:
        for name, counter in _metrics.broker_counters.items():
            counter.labels(broker).inc(self._since(f"{broker} {name}", said[name]))
        _metrics.up.labels(broker).set(said["state"] == "UP")
        if said["rtt"]["cnt"]:
            _metrics.round_trip.labels(broker).set(said["rtt"]["avg"] / 1e6)

    def _since(self, name: str, value: float) -> float:
        before, self._last[name] = self._last.get(name, 0.0), float(value)
        return value - before


class _Reading(Collector):
    """Polls the clients of this process when it is asked; what they tell is there the next time."""

    def __init__(self) -> None:
        self.is_read = False
        self._lock = threading.Lock()
        self._clients: list[ClientStatistics] = []

    def add(self, client: ClientStatistics) -> None:
        with self._lock:
            self._clients.append(client)

    def remove(self, client: ClientStatistics) -> None:
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> list[Metric]:
        self.is_read = True
        with self._lock:
            clients = list(self._clients)
        for each in clients:
            each.poll()
        return []


def _begin_in_child() -> None:
    global _metrics, _reading
    _metrics, _reading = _Metrics(None), _Reading()


_metrics, _reading = _Metrics(REGISTRY), _Reading()
REGISTRY.register(_reading)
os.register_at_fork(after_in_child=_begin_in_child)
