"""The command `casino`: every command and where a refusal becomes a sentence and an exit code."""

import sys

import grpc
import typer

from clients.cli import pricing, theory
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
app.command()(theory.wagers)
app.command()(theory.analyze)
app.command()(pricing.settle)


def main() -> None:
    """Runs the command; exit code 1 and one sentence naming the refusal where it is refused."""
    try:
        app()
    except Refusal as refusal:
        _end(f"{refusal.reason}: {refusal.message}")
    except RefusedByServer as refused:
        unreachable = refused.code is grpc.StatusCode.UNAVAILABLE and refused.reason == refused.code.name
        hint = " Is the platform running? `casino up` starts it." if unreachable else ""
        _end(f"{refused.reason}: {refused.message}.{hint}")
    except ChainBroken as broken:
        _end(f"CHAIN_BROKEN: {broken}")
    except OSError as problem:
        _end(f"{type(problem).__name__}: {problem.strerror or problem}: {problem.filename or ''}")


def _end(sentence: str) -> None:
    say(" ".join(sentence.split()))
    sys.exit(1)


if __name__ == "__main__":
    main()
