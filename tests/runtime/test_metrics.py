"""Metrics of what lags and what waits are read when somebody asks."""

import time

import pytest

from services.runtime.metrics import Lag, Metrics


def test_a_lag_grows_from_when_the_follower_last_had_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds count from the last time that all that was heard of had been applied, not from each frame."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    lag, metrics = Lag(), Metrics("test")
    metrics.observe_lag("P", "rounds", lag)

    def told() -> tuple[float | None, float | None]:
        labels = {"property_id": "P", "feed": "rounds"}
        sample = metrics.registry.get_sample_value
        return sample("casino_lag", labels), sample("casino_lag_seconds", labels)

    lag.heard(5)
    lag.applied(5)
    now = 200.0
    assert told() == (0, 0)
    lag.heard(7)
    now = 203.0
    lag.heard(9)
    now = 204.0
    assert told() == (4, 4)
    lag.applied(9)
    assert told() == (0, 0)
