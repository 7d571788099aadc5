"""Every setting of the platform, read once from the environment.

| variable | meaning | default |
|---|---|---|
| CASINO_HOME | folder of the embedded server, the passwords and the seal keys | ~/.local/share/casino |
| CASINO_DATABASE_URL | the owner's url of a Postgres 15 or later | unset: the embedded server |
| CASINO_<SERVICE>_DATABASE_URL | the service's own url | casino_<service>, password from the home |
| CASINO_<SERVICE>_ADDRESS | host:port its gRPC server listens on and clients call | 127.0.0.1:7401 to :7404 |
| CASINO_<SERVICE>_METRICS_PORT | port of /metrics on 127.0.0.1, 0 = none | 9401 to 9404 |
| CASINO_LOG_LEVEL | debug, info, warning or error | info |
| CASINO_STREAM_WINDOW | events a stream may send unacknowledged | 4000 |
| CASINO_SOURCE_SILENT_SECONDS | seconds without a word after which a streaming source is degraded | 30 |
| CASINO_SEAL_SECONDS | seconds between two seals of the feeds' heads | 60 |
| CASINO_MAX_CONNECTION_AGE_SECONDS | age at which a client is asked to connect anew | 3600 |
| CASINO_PRINCIPAL | who a client says it is when not told otherwise | unset |
| CASINO_FAULT | a step at which the process ends, see services/runtime/steps.py; only with a temporary home | unset |
| CASINO_TRIGGER_SEED | what mystery triggers follow from; only with a temporary home | unset: the system's source |

<SERVICE> is ROUNDS, SETTLEMENT, PROGRESSIVES or REPORTING.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from services.kernel.errors import InvalidRequest
from services.runtime.migrations import SERVICES
from services.runtime.steps import Fault

FIRST_PORT = 7401
FIRST_METRICS_PORT = 9401
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingUnreadable(InvalidRequest):
    """An environment variable has a value it cannot have."""


@dataclass(frozen=True)
class ServiceSettings:
    """One service: `address` host:port, `database_url` None = by the home's secrets, `metrics_port` 0 =
    none."""

    name: str
    address: str
    database_url: str | None
    metrics_port: int


@dataclass(frozen=True)
class Settings:
    """The table above; `database_url` None stands for the embedded server, `principal` None for nobody."""

    home: Path
    database_url: str | None
    services: Mapping[str, ServiceSettings]
    log_level: str
    stream_window: int
    max_connection_age_seconds: int
    seal_seconds: int
    principal: str | None
    trigger_seed: int | None = None
    fault: Fault | None = None
    source_silent_seconds: int = 30

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Settings:
        """Read the environment; SettingUnreadable names the variable, what it may be and what it is."""
        home = environ.get("CASINO_HOME")
        return cls(
            home=Path(home).expanduser() if home else Path.home() / ".local" / "share" / "casino",
            database_url=environ.get("CASINO_DATABASE_URL") or None,
            services={name: _service(environ, name, place) for place, name in enumerate(SERVICES)},
            log_level=_log_level(environ),
            stream_window=_number(environ, "CASINO_STREAM_WINDOW", 4_000, 1, 1_000_000),
            max_connection_age_seconds=_number(environ, "CASINO_MAX_CONNECTION_AGE_SECONDS", 3_600, 1, 10**9),
            seal_seconds=_number(environ, "CASINO_SEAL_SECONDS", 60, 1, 3_600),
            principal=environ.get("CASINO_PRINCIPAL") or None,
            trigger_seed=_trigger_seed(environ),
            fault=_fault(environ),
            source_silent_seconds=_number(environ, "CASINO_SOURCE_SILENT_SECONDS", 30, 1, 86_400),
        )

    @property
    def secrets(self) -> Path:
        """The folder of passwords and keys, closed to everyone else."""
        return self.home / "secrets"

    def url(self, name: str) -> str:
        """The database url of a service; SettingUnreadable if none was given."""
        url = self.services[name].database_url
        if url is None:
            raise SettingUnreadable(
                f"expected CASINO_{name.upper()}_DATABASE_URL to be the url of login casino_{name}, got nothing"
            )
        return url

    def service(self, name: str) -> ServiceSettings:
        """The settings of one service; KeyError for a name that is none of SERVICES."""
        return self.services[name]


def _service(environ: Mapping[str, str], name: str, place: int) -> ServiceSettings:
    prefix = f"CASINO_{name.upper()}"
    return ServiceSettings(
        name=name,
        address=_address(environ, f"{prefix}_ADDRESS", f"127.0.0.1:{FIRST_PORT + place}"),
        database_url=environ.get(f"{prefix}_DATABASE_URL") or None,
        metrics_port=_number(environ, f"{prefix}_METRICS_PORT", FIRST_METRICS_PORT + place, 0, 65_535),
    )


def _address(environ: Mapping[str, str], name: str, default: str) -> str:
    value = environ.get(name) or default
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise SettingUnreadable(f"expected {name} to be host:port, got {value!r}")
    return value


def _number(environ: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    value = environ.get(name) or str(default)
    if not value.isdecimal() or not low <= int(value) <= high:
        raise SettingUnreadable(f"expected {name} to be a whole number from {low} to {high}, got {value!r}")
    return int(value)


def _trigger_seed(environ: Mapping[str, str]) -> int | None:
    """Triggers that follow from a known number are no secret: no home that is kept may have them."""
    if not environ.get("CASINO_TRIGGER_SEED"):
        return None
    _expect_temporary(environ, "CASINO_TRIGGER_SEED")
    return _number(environ, "CASINO_TRIGGER_SEED", 0, 0, 1 << 62)


def _expect_temporary(environ: Mapping[str, str], name: str) -> None:
    home, temporary = Path(environ.get("CASINO_HOME") or Path.home()).resolve(), Path(tempfile.gettempdir()).resolve()
    if not home.is_relative_to(temporary):
        raise SettingUnreadable(f"expected {name} with a CASINO_HOME inside {temporary}, got {home}")


def _fault(environ: Mapping[str, str]) -> Fault | None:
    value = environ.get("CASINO_FAULT")
    if not value:
        return None
    _expect_temporary(environ, "CASINO_FAULT")
    step, _, rest = value.partition(":")
    number, _, kind = rest.partition(":")
    if not step or not number.isdecimal() or int(number) < 1 or kind != "kill":
        raise SettingUnreadable(f"expected CASINO_FAULT to be <step>:<number from 1>:kill, got {value!r}")
    return Fault(step, int(number))


def _log_level(environ: Mapping[str, str]) -> str:
    value = (environ.get("CASINO_LOG_LEVEL") or "info").lower()
    if value not in LOG_LEVELS:
        raise SettingUnreadable(f"expected CASINO_LOG_LEVEL to be one of {', '.join(LOG_LEVELS)}, got {value!r}")
    return value
