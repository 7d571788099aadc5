"""The supervisor's refusals and what it hands to a service; its processes are driven under tests/floor."""

import socket
from pathlib import Path

import pytest

from services.runtime import supervisor
from services.runtime.embedded import HomeInUse, PortTaken
from services.runtime.migrations import SERVICES
from services.runtime.settings import Settings
from services.runtime.supervisor import Supervisor, with_free_ports


def settings(home: Path, **variables: str) -> Settings:
    """The settings of a home under these variables."""
    return Settings.read({"CASINO_HOME": str(home), **variables})


def test_free_ports_are_all_different(home: Path) -> None:
    """Every service and its metrics get a port of 127.0.0.1 that nothing else has."""
    services = with_free_ports(settings(home), every=True).services
    assert list(services) == list(SERVICES)
    ports = [int(own.address.removeprefix("127.0.0.1:")) for own in services.values()]
    ports += [own.metrics_port for own in services.values()]
    assert len(set(ports)) == 2 * len(SERVICES)


def test_port_zero_is_any_free_one(home: Path) -> None:
    """Port 0 in an address becomes a free port; the other services keep theirs."""
    given = settings(home, CASINO_ROUNDS_ADDRESS="127.0.0.1:0")
    services = with_free_ports(given, every=False).services
    assert services["rounds"].address not in ("127.0.0.1:0", "127.0.0.1:7401")
    assert services["settlement"] == given.service("settlement")


def test_a_service_gets_its_own_login_alone(home: Path) -> None:
    """The owner's url and the other services' are taken out of a service's environment."""
    environ = {"CASINO_DATABASE_URL": "owner", "CASINO_SETTLEMENT_DATABASE_URL": "other", "PATH": "kept"}
    given = settings(home)
    handed = Supervisor(given, environ)._environment(given.service("rounds"), "own")
    assert {name: url for name, url in handed.items() if name.endswith("DATABASE_URL")} == {
        "CASINO_ROUNDS_DATABASE_URL": "own"
    }
    assert handed["CASINO_PROGRESSIVES_ADDRESS"] == "127.0.0.1:7403"
    assert (handed["PATH"], handed["CASINO_HOME"]) == ("kept", str(home))


async def test_a_port_in_use_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that something else keeps is named, with the service that wants it."""
    monkeypatch.setattr(supervisor, "PORT_SECONDS", 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        given = settings(home, CASINO_ROUNDS_ADDRESS=address)
        with pytest.raises(PortTaken, match=f"{address} to be free for rounds"):
            await Supervisor(given, {})._free_port(given.service("rounds"))


def test_a_home_in_use_is_refused(home: Path) -> None:
    """The second supervisor of a home is told so."""
    home.mkdir()
    first, second = Supervisor(settings(home), {}), Supervisor(settings(home), {})
    first._take_lock()
    with pytest.raises(HomeInUse, match="only supervisor of"):
        second._take_lock()


def test_an_unreadable_setting_is_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command ends with 1 and says which variable is wrong, without a traceback."""
    monkeypatch.setenv("CASINO_HOME", str(home))
    monkeypatch.setenv("CASINO_ROUNDS_ADDRESS", "nowhere")
    assert supervisor.main([]) == 1
    assert capsys.readouterr().err == ("supervisor: expected CASINO_ROUNDS_ADDRESS to be host:port, got 'nowhere'\n")


def test_an_unreachable_database_is_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A database that does not answer at the start is named as what stopped it."""
    monkeypatch.setenv("CASINO_HOME", str(home))
    monkeypatch.setenv("CASINO_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert supervisor.main(["--free-ports"]) == 1
    assert capsys.readouterr().err.startswith("supervisor: the platform could not be started: ")
