"""How many machine instructions a duel takes: the same number whenever it is counted.

Valgrind runs the process on a processor of its own making and counts. What else the machine does
changes nothing, so a difference of a thousandth is one, which no clock would show. Not every
instruction takes as long as any other: it is no measure of time, but a good alarm.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cards.errors import InputError
from sim.speed.measured import Measured, Played, UnknownStrategy, Version

#: About how many instructions of a strategy are counted at once; valgrind does 10**8 in a second.
_BUDGET: Final = 200_000_000
#: Duels of each matchup that are counted at least and at most; powers of 2 between.
_FEWEST, _MOST = 2, 64
_SUMMARY: Final = re.compile(r"^summary: (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Counted:
    """Instructions of a strategy's duels."""

    strategy: str
    duels: int
    decisions: int
    instructions: int
    digest: str

    @property
    def per_duel(self) -> float:
        """Instructions of a duel."""
        return self.instructions / self.duels

    @property
    def per_decision(self) -> float:
        """Instructions of a decision among two or more options."""
        return self.instructions / self.decisions


def counting_processor() -> dict[str, str]:
    """What makes Numba compile for a processor that valgrind can play, the same one everywhere.

    For the processor that it runs on, Numba may use instructions that valgrind does not know; and
    counts of two machines could not be compared.
    """
    from llvmlite import binding

    modern = platform.machine().lower() in ("x86_64", "amd64") and binding.get_host_cpu_features()
    name = "haswell" if modern and modern.get("avx2") else "generic"
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}


def check_valgrind() -> None:
    """Raise an `InputError` unless valgrind is installed."""
    if shutil.which("valgrind") is None:
        raise InputError(
            "counting instructions needs valgrind, which is not installed",
            right="install it (Linux: package valgrind), or leave --instructions out",
        )


class Counter:
    """A measured process under valgrind; every call of `play` is counted apart.

    Parameters
    ----------
    folder
        Where valgrind writes.
    options
        More of valgrind's options.
    """

    def __init__(
        self,
        version: Version,
        kind: str,
        environment: dict[str, str],
        folder: Path,
        options: Sequence[str] = (),
    ) -> None:
        self._out = folder / "callgrind"
        self._plays = 0
        self.process = Measured(
            version,
            kind,
            environment,
            (
                "valgrind",
                "--quiet",
                "--tool=callgrind",
                f"--callgrind-out-file={self._out}",
                # the player calls this function before and after it plays, for nothing else
                "--dump-before=getpgid",
                *options,
            ),
        )

    def play(self, strategy: str, first: int, count: int) -> tuple[Played, Path]:
        """Play; what was played, and valgrind's file about that alone."""
        played = self.process.play(strategy, first, count)
        self._plays += 1
        # file 1 is from the start to the first duel, then in turn a play and what lies between
        return played, Path(f"{self._out}.{2 * self._plays}")

    def count(self, strategy: str, count: int) -> tuple[Played, int]:
        """Play from duel 0 on; what was played, and in how many instructions."""
        played, file = self.play(strategy, 0, count)
        found = _SUMMARY.search(file.read_text(encoding="utf-8")) if file.is_file() else None
        if found is None:
            raise InputError("valgrind has not counted", right="try another version of it")
        file.unlink()
        return played, int(found[1])


def _same_addresses() -> tuple[str, ...]:
    """A command that runs another one at the same addresses every time; empty if there is none.

    Numba orders some things by the addresses of objects: the same source gives slightly different
    machine code each time. At the same addresses it is the same one.
    """
    command = ("setarch", platform.machine(), "-R")
    if shutil.which("setarch") is None:
        return ()
    allowed = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    return command if allowed else ()


def compile_counted(
    version: Version, kind: str, environment: dict[str, str], strategies: Sequence[str]
) -> dict[str, UnknownStrategy]:
    """Compile what is going to be counted; the strategies that the version does not take, and why.

    Under valgrind, compiling takes an hour.
    """
    unknown = {}
    with Measured(version, kind, environment, _same_addresses()) as process:
        for strategy in strategies:
            try:
                process.play(strategy, 0, 2)
            except UnknownStrategy as error:
                unknown[strategy] = error
    return unknown


@contextmanager
def counter(
    version: Version, kind: str, environment: dict[str, str], options: Sequence[str] = ()
) -> Iterator[tuple[Counter, Path]]:
    """A counter, with its folder, in which nothing should be left to compile."""
    with tempfile.TemporaryDirectory(prefix="duel-sim-count-") as name:
        counting = Counter(version, kind, environment, Path(name), options)
        with counting.process:
            yield counting, Path(name)


def count_instructions(
    version: Version,
    strategies: Sequence[str],
    say: Callable[[str], None],
    sizes: dict[str, int] | None = None,
) -> Iterator[Counted]:
    """Count a version's instructions, strategy after strategy.

    Counted are duels n to 2n - 1 of each standard matchup: what 2n duels take, less what n take. So
    all that does not belong to a duel drops out.

    Parameters
    ----------
    sizes
        The n of each strategy; those that are missing are found and added.

    Raises
    ------
    InputError
        There is no valgrind, or the version takes none of the strategies. One that it does not take
        is left out.
    """
    check_valgrind()
    sizes = {} if sizes is None else sizes
    code = ("counted", counting_processor())
    say(f"{version.name}: starting; what is not compiled yet takes a minute")
    unknown = compile_counted(version, *code, strategies)
    for strategy, error in unknown.items():
        if len(unknown) == len(strategies):
            raise error
        say(f"{strategy} is left out: {error}")
    with counter(version, *code) as (counting, _):
        for strategy in (each for each in strategies if each not in unknown):
            say(f"{version.name}: counting {strategy}")
            counting.play(strategy, 0, 2)
            if strategy not in sizes:
                sizes[strategy] = _size(_difference(counting, strategy, 2))
            yield _difference(counting, strategy, sizes[strategy])


def _difference(counting: Counter, strategy: str, n: int) -> Counted:
    """Duels n to 2n - 1 of each matchup."""
    less, few = counting.count(strategy, n)
    more, many = counting.count(strategy, 2 * n)
    return Counted(
        strategy,
        more.duels - less.duels,
        more.decisions - less.decisions,
        many - few,
        more.digest,
    )


def _size(sample: Counted) -> int:
    """The n that takes about `_BUDGET` instructions."""
    matchups = sample.duels // 2
    size = _FEWEST
    while size < _MOST and 2 * size * matchups * sample.per_duel <= _BUDGET:
        size *= 2
    return size


def to_json(new: Counted, old: Counted | None) -> dict[str, Any]:
    """Counts as a dict that `json.dumps` takes."""
    values: dict[str, Any] = {"strategy": new.strategy, "duels": new.duels}
    if old is None:
        return {
            **values,
            "instructions_per_duel": new.per_duel,
            "instructions_per_decision": new.per_decision,
        }
    return {
        **values,
        "same_duels": new.digest == old.digest,
        "instructions_per_duel_old": old.per_duel,
        "instructions_per_duel_new": new.per_duel,
        "instructions_per_duel_ratio": new.per_duel / old.per_duel,
        "instructions_per_decision_old": old.per_decision,
        "instructions_per_decision_new": new.per_decision,
        "instructions_per_decision_ratio": new.per_decision / old.per_decision,
    }


def fair_ratio(row: dict[str, Any]) -> float:
    """Of what `to_json` says: new/old per duel, or per decision where the duels are other ones."""
    unit = "duel" if row["same_duels"] else "decision"
    return float(row[f"instructions_per_{unit}_ratio"])
