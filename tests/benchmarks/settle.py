"""How fast `casino settle` settles a seeded gaming day over every game, beside the cost of parsing its messages alone.

Tables that are dealt with the same equipment and options share a file, for the command is told both once.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from google.protobuf import json_format

from casino.floor.v1 import events_pb2 as floor
from clients.cli.rounds_file import read_rounds
from clients.floor.day import DEALERS
from clients.floor.full_house import full_house
from clients.floor.house import House, Table
from services.games.blackjack.house import BASE_WAGERS

DAY, SEED, ROUNDS = date(2026, 3, 2), 20260302, 63_000


class Played(NamedTuple):
    """The rounds of tables that one command can settle: its options, the file, and the same rounds as bytes."""

    options: tuple[str, ...]
    file: Path
    messages: list[bytes]


def options_of(table: Table) -> tuple[str, ...]:
    """What the command has to be told of a table."""
    terms = table.terms
    told = [f"--decks={terms.decks}"] if terms.decks else []
    told += [f"--wheel={terms.wheel}"] if terms.wheel else []
    # A round without a wager does not say of itself by which variation of Blackjack it was dealt.
    chosen = {(code, "soft_17"): "stand" for code in BASE_WAGERS if code in terms.offers}
    chosen.update({(offer.code, name): value for offer in terms.offers.values() for name, value in offer.options})
    return (*told, *(f"--option={code}:{name}={value}" for (code, name), value in chosen.items()))


def rounds_of(house: House, table: Table, rounds: int, seed: int) -> Iterator[floor.WholeRound]:
    """A table's day, each round in one event."""
    dealer = DEALERS[table.terms.game](house, table, DAY, seed, staged=False)
    return (event.whole_round for event in dealer.play(rounds).events if event.HasField("whole_round"))


def play(folder: Path, rounds: int, seed: int) -> tuple[list[Played], Counter[str]]:
    """A day of so many rounds over all games that are dealt, as files, and the rounds of each game."""
    house = full_house()
    tables = [table for table in house.tables if table.terms.game in DEALERS]
    fewest, more = divmod(rounds, len(tables))
    played: defaultdict[tuple[str, ...], list[floor.WholeRound]] = defaultdict(list)
    games: Counter[str] = Counter()
    for place, table in enumerate(tables):
        dealt = list(rounds_of(house, table, fewest + (place < more), seed))
        played[options_of(table)] += dealt
        games[table.terms.game] += len(dealt)
    return [_written(folder / f"{n}.jsonl", *each) for n, each in enumerate(played.items())], games


def _written(file: Path, options: tuple[str, ...], rounds: list[floor.WholeRound]) -> Played:
    file.write_text("".join(json.dumps(json_format.MessageToDict(each)) + "\n" for each in rounds), encoding="utf-8")
    return Played(options, file, [each.SerializeToString() for each in rounds])


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def settle(played: Iterable[Played]) -> int:
    """The lines that `casino settle` prints; a refused round ends the benchmark."""
    lines = 0
    for options, file, _ in played:
        ended = subprocess.run(
            (sys.executable, "-m", "clients.cli", "settle", str(file), "--json", *options),
            capture_output=True,
            check=True,
        )
        lines += ended.stdout.count(b"\n")
    return lines


def parse_json(played: Iterable[Played]) -> None:
    """Reads the files as the command does, and does nothing with the rounds."""
    for each in played:
        for line in read_rounds(each.file):
            assert line.round is not None, line.refusal


def parse_bytes(played: Iterable[Played]) -> None:
    """Reads the same rounds from their bytes, as the services get them."""
    for each in played:
        for message in each.messages:
            floor.WholeRound.FromString(message)


def main() -> None:
    """Prints the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="casino-bench-") as folder:
        played, games = play(Path(folder), asked.rounds, asked.seed)
        total, wagers = games.total(), sum(_wagers(each) for each in played)
        print(", ".join(f"{count:,} of {game}" for game, count in sorted(games.items())))
        print(f"{total:,} rounds with {wagers:,} wagers in {len(played)} files, one command each:")
        settled = seconds(lambda: _expect(settle(played), total))
        for what, taken in (
            ("casino settle, starts and printing included", settled),
            ("parsing the same files alone", seconds(lambda: parse_json(played))),
            ("parsing the same rounds from bytes", seconds(lambda: parse_bytes(played))),
        ):
            print(f"  {what:<44} {taken:7.2f} s {total / taken:12,.0f} rounds a second")


def _wagers(played: Played) -> int:
    return sum(len(floor.WholeRound.FromString(message).wagers) for message in played.messages)


def _expect(lines: int, rounds: int) -> None:
    if lines != rounds:
        raise SystemExit(f"expected {rounds} rounds settled, given {lines}")


if __name__ == "__main__":
    main()
