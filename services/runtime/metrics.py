"""What a service counts. One registry for each service, so that several may live in one process."""

import threading
import time
from collections.abc import Callable
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

Count = Callable[[], int]


class Lag:
    """How far a follower is behind the author of a feed, as far as the author has been heard."""

    def __init__(self) -> None:
        self.head = self.cursor = 0
        self._level = time.monotonic()

    def heard(self, head: int) -> None:
        """The author's head lies at least here."""
        if self.head <= self.cursor:
            self._level = time.monotonic()
        self.head = max(self.head, head)

    def applied(self, cursor: int) -> None:
        """Everything up to here is on disk."""
        self.cursor = cursor
        self.head = max(self.head, cursor)

    @property
    def entries(self) -> int:
        """Entries heard of and not applied."""
        return self.head - self.cursor

    @property
    def seconds(self) -> int:
        """Whole seconds since everything heard of was applied; 0 while it is."""
        return int(time.monotonic() - self._level) if self.entries else 0


class Metrics:
    """The metrics of one service; names begin with `casino_`."""

    def __init__(self, service: str) -> None:
        self.registry = CollectorRegistry()
        self.calls = self._counter("calls", "Finished calls.", "method", "code")
        self.refusals = self._counter("refusals", "Refused facts and requests by name.", "reason")
        self.answers = self._counter("answers", "Answers to floor events other than acceptance.", "kind", "reason")
        self.accepted = self._counter("accepted_events", "Floor events accepted.", "property_id")
        self.entries = self._counter("entries", "Entries committed.", "property_id", "feed")
        self.followed = self._counter("followed_entries", "Entries applied from a feed.", "property_id", "feed")
        self.retries = self._counter("retries", "Batches or streams tried again.", "what")
        self.cursor = self._gauge("cursor", "Position applied of a feed.", "property_id", "feed")
        self.lag = self._gauge("lag", "Entries known of and not yet applied.", "property_id", "feed")
        self.lag_seconds = self._gauge("lag_seconds", "Since all that is known of was applied.", "property_id", "feed")
        self.waiting_events = self._gauge("waiting_events", "Events taken and not committed.", "property_id")
        self.waiting_bytes = self._gauge("waiting_bytes", "Bytes of events taken and not committed.", "property_id")
        self.window_in_use = self._gauge("window_in_use", "Events of open streams not acknowledged.", "property_id")
        self.streams = self._gauge("streams", "Open streams of sources.", "property_id")
        self.degraded = self._gauge("degraded_sources", "Sources silent or with a gap.", "property_id")
        self.followers: dict[tuple[str, str], Lag] = {}
        self.commit_seconds = Histogram("casino_commit_seconds", "Time of a commit.", ("what",), registry=self.registry)
        Gauge("casino_up", "1 while the service runs.", ("service",), registry=self.registry).labels(service).set(1)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"casino_{name}", text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"casino_{name}", text, labels, registry=self.registry)

    def observe_lag(self, property_id: str, feed: str, lag: Lag) -> None:
        """A follower's lag is read from it whenever somebody asks."""
        self.followers[property_id, feed] = lag
        self.cursor.labels(property_id, feed).set_function(lambda: lag.cursor)
        self.lag.labels(property_id, feed).set_function(lambda: lag.entries)
        self.lag_seconds.labels(property_id, feed).set_function(lambda: lag.seconds)

    def observe_intake(
        self,
        property_id: str,
        events: Count,
        size: Count,
        under_way: Count,
        streams: Count,
        degraded: Count,
    ) -> None:
        """What waits for a property's writer, read whenever somebody asks."""
        self.waiting_events.labels(property_id).set_function(events)
        self.waiting_bytes.labels(property_id).set_function(size)
        self.window_in_use.labels(property_id).set_function(under_way)
        self.streams.labels(property_id).set_function(streams)
        self.degraded.labels(property_id).set_function(degraded)

    def serve(self, port: int) -> tuple[WSGIServer, threading.Thread]:
        """Serves /metrics on 127.0.0.1."""
        return start_http_server(port, addr="127.0.0.1", registry=self.registry)
