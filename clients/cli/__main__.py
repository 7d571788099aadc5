"""The command `casino`: every command and where a refusal becomes a sentence and an exit code."""

import asyncio
import getpass
import os
import sys
from typing import Annotated

import grpc
import typer

from clients.cli import (
    configuration,
    corrections,
    days,
    home,
    ingestion,
    jackpots,
    links,
    pricing,
    projections,
    quarantine,
    records,
    replay,
    reports,
    status,
    theory,
    verify,
)
from clients.cli.output import say
from clients.sdk.feeds import ChainBroken
from clients.sdk.refusals import RefusedByServer
from services.kernel.errors import Refusal

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A back office for table games.",
)
for command in (
    home.up,
    home.migrate,
    theory.wagers,
    theory.analyze,
    pricing.settle,
    ingestion.ingest,
    status.status,
    reports.report,
    replay.replay,
):
    app.command()(command)
app.command("verify")(verify.verify_command)
for name, noun in {
    "properties": configuration.properties,
    "tables": configuration.tables,
    "submissions": configuration.submissions,
    "links": links.links,
    "jackpots": jackpots.jackpots,
    "documents": records.documents,
    "day": days.days_app,
    "rounds": corrections.rounds_app,
    "quarantine": quarantine.quarantine,
    "projections": projections.projections,
}.items():
    app.add_typer(noun, name=name)


@app.command()
def demo(
    tables: Annotated[int, typer.Option(min=1, help="How many tables.")] = 8,
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds in all.")] = 1_600,
    seed: Annotated[int, typer.Option(help="The same seed plays the same day.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Plays a seeded gaming day on a temporary platform, verifies it, prints the daily win and is gone."""
    from clients.cli.demo import run

    code = asyncio.run(run(tables, rounds, seed, json))
    if code:
        raise typer.Exit(code)


@app.callback()
def identify(
    principal: Annotated[
        str | None, typer.Option(help="Who you are to the platform; else CASINO_PRINCIPAL, else your login.")
    ] = None,
) -> None:
    """A back office for table games."""
    os.environ["CASINO_PRINCIPAL"] = principal or os.environ.get("CASINO_PRINCIPAL") or _login()


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name
        return f"uid-{os.getuid()}"


def main() -> None:
    """Runs the command; exit code 1 and one sentence naming the refusal where it is refused."""
    try:
        app()
    except Refusal as refusal:
        _end(f"{refusal.reason}: {refusal.message}")
    except RefusedByServer as refused:
        unreachable = refused.code is grpc.StatusCode.UNAVAILABLE and refused.reason == refused.code.name
        hint = " Is the platform running? `casino up` starts it." if unreachable else ""
        _end(f"{refused.reason}: {refused.message.rstrip('.')}.{hint}")
    except ChainBroken as broken:
        _end(f"CHAIN_BROKEN: {broken}")
    except KeyboardInterrupt:
        _end("INTERRUPTED: stopped by the keyboard")
    except OSError as problem:
        _end(f"{type(problem).__name__}: {problem.strerror or problem}: {problem.filename or ''}")


def _end(sentence: str) -> None:
    say(" ".join(sentence.split()))
    sys.exit(1)


if __name__ == "__main__":
    main()
