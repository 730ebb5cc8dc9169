"""`scenario run` and `scenario check` of the command line.

Also on their own: `python -m sim.scenario_command run FILE [--json]`, and
`python -m sim.scenario_command check FILE_OR_FOLDER…`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cards.errors import InputError

if TYPE_CHECKING:
    from sim.ancient_duel.scenario import Outcome

PASSED: Final = 0
DIFFERS: Final = 1
BAD_INPUT: Final = 2


def run(path: Path, as_json: bool) -> int:
    """Play one scenario file and print its result.

    Returns
    -------
    int
        The exit code: 0; 1 where a `! CHOICE` was offered.

    Raises
    ------
    InputError
        The file is bad input (exit code 2 of the command line).
    """
    outcome = _play(path)
    if as_json:
        print(json.dumps(outcome.result, ensure_ascii=False, indent=1))
    else:
        print("\n".join(as_lines(outcome.result)))
    for line in outcome.denied:
        print(f"{path}: {line}", file=sys.stderr)
    return DIFFERS if outcome.denied else PASSED


def check(paths: Sequence[Path]) -> int:
    """Play scenario files, and those in folders, and print what differs from their `expect`.

    Returns
    -------
    int
        The exit code: 0; 1 where anything differs; 2 where a file is bad input.
    """
    passed = failed = 0
    code = PASSED
    for path in scenario_files(paths):
        try:
            if isinstance(path, InputError):
                raise path
            lines = [f"{path}: {line}" for line in _play(path).differences]
            code = max(code, DIFFERS if lines else PASSED)
        except InputError as error:
            lines = [f"error: {error}"]
            code = BAD_INPUT
        for line in lines:
            print(line)
        passed += not lines
        failed += bool(lines)
    print(f"{passed} passed, {failed} failed")
    return code


def _play(path: Path) -> Outcome:
    """Play a scenario file, interpreted if this process has not loaded the engine yet.

    A scenario is a few milliseconds of the interpreted engine; to compile it takes a minute.
    """
    if "sim.compiled" not in sys.modules and "numba" not in sys.modules:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    from sim.ancient_duel.scenario import run_scenario

    return run_scenario(path)


def scenario_files(paths: Sequence[Path]) -> Iterator[Path | InputError]:
    """The files named, and the `.toml` files in the folders named and below, sorted.

    A folder without any is an error in its place.
    """
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.rglob("*.toml") if file.is_file())
        yield from found
        if not found:
            yield InputError("has no scenario files", where=str(path), right="they end with .toml")


# --- a result for people --------------------------------------------------------------------------
def as_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """A result as lines: what happened, then how it stands."""
    yield from result["log"]
    if result["log"]:
        yield ""
    yield f"turn {result['turn']} of {result['active']}, phase {result['phase']}"
    for side in ("a", "b"):
        yield from _side_lines(side, result[side])
    if result["over"]:
        yield f"over: {result['winner']} wins ({result['reason']})"
        return
    yield f"{result['pending']['side']} chooses:"
    for option in result["pending"]["options"]:
        yield f"   {option}"


def _side_lines(side: str, table: Mapping[str, Any]) -> Iterator[str]:
    yield f"{side}: LP {table['lp']}, energy {table['energy']}"
    for number, unit in enumerate(table["units"], 1):
        attacked = ", has attacked" if unit["attacked"] else ""
        stats = f"ATK {unit['atk']}, DEF {unit['def']}"
        yield f"   unit {number}: {unit['card']}, {unit['position']}, {stats}{attacked}"
    for card in table["support"]:
        on = f", on unit {card['on']}" if card["on"] is not None else ""
        yield f"   support: {card['card']}, {'face-up' if card['face_up'] else 'face-down'}{on}"
    for zone in ("hand", "deck", "graveyard"):
        if table[zone]:
            yield f"   {zone}: {', '.join(table[zone])}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as `python -m sim.scenario_command`; the exit code."""
    parser = argparse.ArgumentParser(prog="scenario", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="play one scenario file and print its result")
    running.add_argument("file", type=Path)
    running.add_argument("--json", action="store_true")
    checking = commands.add_parser("check", help="play scenario files and compare")
    checking.add_argument("paths", nargs="+", type=Path)
    given = parser.parse_args(arguments)
    if given.command == "check":
        return check(given.paths)
    try:
        return run(given.file, given.json)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
