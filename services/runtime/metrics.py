"""What a service counts. One registry for each service, so that several may live in one process."""

import threading
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server


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
        self.cursor = Gauge(
            "casino_cursor", "Position applied of a feed.", ("property_id", "feed"), registry=self.registry
        )
        self.lag = Gauge(
            "casino_lag",
            "Entries known of and not yet applied.",
            ("property_id", "feed"),
            registry=self.registry,
        )
        self.commit_seconds = Histogram("casino_commit_seconds", "Time of a commit.", ("what",), registry=self.registry)
        Gauge("casino_up", "1 while the service runs.", ("service",), registry=self.registry).labels(service).set(1)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"casino_{name}", text, labels, registry=self.registry)

    def serve(self, port: int) -> tuple[WSGIServer, threading.Thread]:
        """Serves /metrics on 127.0.0.1."""
        return start_http_server(port, addr="127.0.0.1", registry=self.registry)
