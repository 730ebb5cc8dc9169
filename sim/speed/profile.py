"""Where the compiled engine spends its time: the share of every function and line.

LLVM makes a few large functions of the engine's many small ones, so a usual profile says little.
Here every instruction knows its source line and what it was inlined through (`sim.speed.lines`). It
is counted how often each was met: by samples of a clock (perf), which is time, or by counting
each one that is executed (valgrind), which is the same in every run.
"""

from __future__ import annotations

import bisect
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cards.errors import InputError
from sim.speed.instructions import (
    check_valgrind,
    compile_counted,
    counter,
    counting_processor,
)
from sim.speed.measured import TOP, Measured, Played, Version

LINES: Final = {"DUEL_SIM_LINES": "1"}
#: Samples a second: more than a tick of any usual clock, and not a multiple of one.
_FREQUENCY: Final = "4999"
#: Duels of each matchup whose instructions are counted.
_COUNTED: Final = 32


@dataclass(frozen=True)
class Place:
    """A line of the source, in a function."""

    file: str
    function: str
    line: int


@dataclass(frozen=True)
class Profile:
    """How much of the engine's work is done where.

    Attributes
    ----------
    unit
        "samples" or "instructions".
    total
        Of the compiled code, in that unit.
    own
        The share of a line's own instructions, however they were inlined.
    within
        The share of a function's own instructions and of those that were inlined into it there.
    """

    strategy: str
    unit: str
    duels: int
    total: int
    own: dict[Place, float]
    within: dict[tuple[str, str], float]

    def functions(self) -> list[tuple[str, str, float]]:
        """File, function and own share, the largest first."""
        shares: Counter[tuple[str, str]] = Counter()
        for place, share in self.own.items():
            shares[place.file, place.function] += share  # type: ignore[assignment]
        return [(*name, share) for name, share in shares.most_common()]

    def to_json(self) -> dict[str, Any]:
        """As a dict that `json.dumps` takes."""
        lines = sorted(self.own.items(), key=lambda item: -item[1])
        return {
            "strategy": self.strategy,
            "unit": self.unit,
            "duels": self.duels,
            "total": self.total,
            "functions": [
                {
                    "file": file,
                    "function": function,
                    "share": share,
                    "share_with_inlined": self.within[file, function],
                }
                for file, function, share in self.functions()
            ],
            "lines": [
                {"file": place.file, "line": place.line, "function": place.function, "share": share}
                for place, share in lines
            ],
        }


def profile_time(
    version: Version, strategy: str, seconds: float, say: Callable[[str], None]
) -> Profile:
    """Sample what the processor is at, for about so many seconds of play.

    Raises
    ------
    InputError
        A tool is missing or may not be used here, or there is no such strategy.
    """
    _check_tools("perf", "objdump", "addr2line")
    say(f"{strategy}: starting; what is not compiled with source lines yet takes a minute")
    with tempfile.TemporaryDirectory(prefix="duel-sim-profile-") as name:
        folder = Path(name)
        with Measured(version, "lines", LINES) as process:
            process.play(strategy, 0, 4)
            sample = process.play(strategy, 0, 64)
        count = max(2, round(64 * seconds / sample.seconds))
        data = folder / "samples"
        command = ("perf", "record", "--quiet", "-e", "cpu-clock", "-F", _FREQUENCY)
        say(f"{strategy}: sampling")
        with Measured(version, "lines", LINES, (*command, "-o", str(data), "--")) as process:
            played = process.play(strategy, 0, count)
            places = process.ask({"objects": name})["objects"]
        met = _sampled(data)
        return _profile(strategy, "samples", played, places, met)


def profile_instructions(version: Version, strategy: str, say: Callable[[str], None]) -> Profile:
    """Count every instruction that is executed.

    Raises
    ------
    InputError
        A tool is missing, or there is no such strategy.
    """
    _check_tools("objdump", "addr2line")
    check_valgrind()
    say(f"{strategy}: starting under valgrind; what is not compiled yet takes a minute")
    options = ("--dump-instr=yes", "--dump-line=no", "--compress-pos=no", "--compress-strings=no")
    environment = {**counting_processor(), **LINES}
    code = ("counted-lines", environment)
    for error in compile_counted(version, *code, [strategy]).values():
        raise error
    with counter(version, *code, options) as (counting, folder):
        counting.play(strategy, 0, 2)
        say(f"{strategy}: counting")
        played, file = counting.play(strategy, 0, _COUNTED)
        places = counting.process.ask({"objects": str(folder)})["objects"]
        return _profile(strategy, "instructions", played, places, _counted(file))


def _check_tools(*names: str) -> None:
    for name in names:
        if shutil.which(name) is None:
            package = "linux-perf or linux-tools" if name == "perf" else "binutils"
            raise InputError(
                f"--profile needs {name}, which is not installed", right=f"install {package}"
            )


def _sampled(data: Path) -> Counter[int]:
    """How often each address was met."""
    done = subprocess.run(
        ["perf", "script", "-i", str(data), "-F", "ip"], capture_output=True, text=True, check=False
    )
    if done.returncode or not done.stdout.strip():
        last = " ".join(done.stderr.split())[-200:]
        raise InputError(
            f"perf has taken no samples: {last}",
            right="allow it (sysctl kernel.perf_event_paranoid=2), or add --instructions",
        )
    return Counter(int(address, 16) for address in done.stdout.split())


def _counted(file: Path) -> Counter[int]:
    """How often each address was executed."""
    met: Counter[int] = Counter()
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("calls="):
                next(lines)  # what was executed below a call, which is counted there
            elif line.startswith("0x"):
                address, count = line.split()[:2]
                met[int(address, 16)] += int(count)
    return met


def _profile(
    strategy: str,
    unit: str,
    played: Played,
    places: Sequence[dict[str, Any]],
    met: Counter[int],
) -> Profile:
    own: Counter[Place] = Counter()
    within: Counter[tuple[str, str]] = Counter()
    for chain, count in _chains(places, met):
        own[chain[0]] += count
        for name in {(place.file, place.function) for place in chain}:
            within[name] += count
    total = sum(own.values())
    if not total:
        raise InputError("no instruction of the compiled engine was met", right="play longer")
    return Profile(
        strategy,
        unit,
        played.duels,
        total,
        {place: count / total for place, count in own.items()},
        {name: count / total for name, count in within.items()},
    )


def _chains(
    places: Sequence[dict[str, Any]], met: Counter[int]
) -> Iterator[tuple[list[Place], int]]:
    """For each address that lies in the engine: its line, what that is inlined in, …; how often."""
    ordered = sorted(places, key=lambda place: int(place["start"]))
    starts = [place["start"] for place in ordered]
    inside: defaultdict[int, list[int]] = defaultdict(list)
    for address in met:
        number = bisect.bisect_right(starts, address) - 1
        if number >= 0 and address < ordered[number]["end"]:
            inside[number].append(address)
    for number, addresses in inside.items():
        place = ordered[number]
        offsets = [address - place["start"] for address in addresses]
        for address, chain in zip(addresses, _source(place, offsets), strict=True):
            yield chain, met[address]


def _source(place: dict[str, Any], offsets: Sequence[int]) -> list[list[Place]]:
    """The chain of source lines of each offset into an object file's section."""
    command = ["addr2line", "-e", place["file"], "-j", place["section"], "-a", "-i", "-f"]
    asked = "\n".join(hex(offset) for offset in offsets)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    chains: list[list[Place]] = []
    lines = iter(done.stdout.splitlines())
    for line in lines:
        if line.startswith("0x"):
            chains.append([])
        else:
            chains[-1].append(_place(line, next(lines)))
    return chains


def _place(function: str, position: str) -> Place:
    file, _, line = position.partition(" (discriminator")[0].rpartition(":")
    path = Path(file)
    known = path.is_relative_to(TOP) and "site-packages" not in path.parts
    name = path.relative_to(TOP).as_posix() if known else "Numba"
    return Place(name, plain_name(function), int(line) if line.isdigit() else 0)


def plain_name(symbol: str) -> str:
    """A function's name, of the symbol that Numba makes of it and of its place."""
    _, found, rest = symbol.partition("_ZN")
    name = symbol
    while found and (length := re.match(r"\d+", rest)):
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
    return name
