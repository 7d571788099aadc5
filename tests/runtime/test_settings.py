"""Settings: what an empty environment means, and which values are refused."""

from pathlib import Path

import pytest

from services.runtime.settings import Settings, SettingUnreadable


def test_an_empty_environment_runs_on_this_machine() -> None:
    """Without a variable set the platform is embedded, on 127.0.0.1 and its usual ports."""
    settings = Settings.read({})
    assert settings.database_url is None
    assert settings.home == Path.home() / ".local" / "share" / "casino"
    assert settings.service("rounds").address == "127.0.0.1:7401"
    assert settings.service("reporting").address == "127.0.0.1:7404"
    assert settings.service("progressives").metrics_port == 9403
    assert settings.stream_window == 4000


def test_a_service_has_settings_of_its_own() -> None:
    """Address, url and metrics port are set for each service apart."""
    settings = Settings.read(
        {
            "CASINO_HOME": "/srv/a casino",
            "CASINO_ROUNDS_ADDRESS": "[::1]:9000",
            "CASINO_ROUNDS_DATABASE_URL": "postgresql://x@db/casino",
            "CASINO_ROUNDS_METRICS_PORT": "0",
        }
    )
    rounds = settings.service("rounds")
    assert (rounds.address, rounds.database_url) == ("[::1]:9000", "postgresql://x@db/casino")
    assert rounds.metrics_port == 0
    assert settings.service("settlement").database_url is None
    assert settings.secrets == Path("/srv/a casino/secrets")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CASINO_STREAM_WINDOW", "0"),
        ("CASINO_STREAM_WINDOW", "many"),
        ("CASINO_MAX_CONNECTION_AGE_SECONDS", "1.5"),
        ("CASINO_ROUNDS_ADDRESS", "7401"),
        ("CASINO_ROUNDS_ADDRESS", "host:99999"),
        ("CASINO_REPORTING_METRICS_PORT", "-1"),
        ("CASINO_LOG_LEVEL", "loud"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(variable: str, value: str) -> None:
    """The refusal names the variable and repeats the value."""
    with pytest.raises(SettingUnreadable, match=f"expected {variable} to be .* got '{value}'"):
        Settings.read({variable: value})
