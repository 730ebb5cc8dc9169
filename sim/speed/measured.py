"""A measured process, seen from the one that measures: it is started, asked to play, and ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from cards.ancient_duel.load import card_set
from cards.errors import InputError
from sim.compiled import cache_root

#: The folder that holds the rooms of the running version.
TOP: Final = Path(__file__).resolve().parents[2]
_PLAYER: Final = Path(__file__).with_name("player.py")


@dataclass(frozen=True)
class Version:
    """A version of the project that can be measured.

    Attributes
    ----------
    name
        What to call it in a message.
    tree
        The folder that holds its rooms.
    cache
        Where its compiled code is kept.
    """

    name: str
    tree: Path
    cache: Path


def working_tree() -> Version:
    """The version that is running, with whatever has been changed and not committed."""
    return Version("this version", TOP, cache_root())


@dataclass(frozen=True)
class Played:
    """Duels that a measured process has played.

    Attributes
    ----------
    seconds
        Its processor time.
    digest
        The same for the same duels.
    """

    seconds: float
    duels: int
    decisions: int
    digest: str


class UnknownStrategy(InputError):
    """A version does not take a strategy."""


class Measured:
    """A process that plays with a version's library; to be used in a `with`.

    Parameters
    ----------
    version
        Whose library.
    kind
        Which compiled code, as a folder of the cache: code for another processor is other code.
    environment
        What is set for this process alone.
    under
        The command line of a program that runs and watches it.
    """

    def __init__(
        self,
        version: Version,
        kind: str = "",
        environment: Mapping[str, str] | None = None,
        under: Sequence[str] = (),
    ) -> None:
        self._version = version
        path = os.pathsep.join(filter(None, (str(version.tree), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [*under, sys.executable, "-P", str(_PLAYER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Ctrl-C is for the process that measures, which then ends this one.
            start_new_session=True,
            env={
                **os.environ,
                "PYTHONPATH": path,
                "PYTHONHASHSEED": "0",
                "DUEL_SIM_CACHE": str(version.cache / kind),
                **(environment or {}),
            },
        )

    def __enter__(self) -> Measured:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        """End the process: by itself, or, if something went wrong, at once."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            if kind is not None:
                self._kill()
            with suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.wait()
        except BaseException:
            self._kill()
            raise
        finally:
            self._process.stdout.close()

    def _kill(self) -> None:
        """End the process and what it has started."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:  # Windows
            self._process.kill()
        self._process.wait()

    @property
    def pid(self) -> int:
        """The process' number."""
        return self._process.pid

    def play(self, strategy: str, first: int, count: int) -> Played:
        """Play duels first, first + 1, … of every standard matchup, `count` of each.

        Raises
        ------
        UnknownStrategy
            This version does not take the strategy.
        InputError
            This version cannot be run.
        """
        request = {
            "strategy": strategy,
            "matchups": standard_matchups(),
            "first": first,
            "count": count,
        }
        return Played(**self.ask(request))

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request (`sim.speed.player`)."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self._process.wait()
            raise InputError(f"the measured process ended with code {code}", where=self._where)
        answer: dict[str, Any] = json.loads(line)
        if "error" not in answer:
            return answer
        if answer["known"]:
            raise UnknownStrategy(answer["error"], where=self._where)
        raise InputError(f"does not run here: {answer['error']}", where=self._where)

    @property
    def _where(self) -> str:
        return self._version.name


def standard_matchups() -> list[tuple[str, str]]:
    """The standard decks, each against the next one."""
    decks = [faction.id for faction in card_set().factions]
    return list(zip(decks, [*decks[1:], decks[0]], strict=True))
