"""The process whose speed is measured: it plays what its standard input asks for.

One JSON object a line, on both sides. It is run as a script, with the library of another revision
too, so it imports nothing of the project but what it needs to play, and that as late as possible.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

SEED = 0
#: What makes two duels the same one, of what a row tells.
_TOLD = ("first", "winner", "by_deck", "turns_a", "turns_b", "lp_a", "lp_b", "decisions")

_jobs: dict[str, list[Any]] = {}


def _jobs_of(strategy: str, matchups: list[list[str]]) -> list[Any]:
    """A job for each matchup, compiled."""
    if strategy not in _jobs:
        from sim import api
        from sim.first_run import make_ready

        setups = [
            api.prepare(a, b, strategy_a=strategy, strategy_b=strategy, seed=SEED)
            for a, b in matchups
        ]
        make_ready(setups[0].job.entries())
        _jobs[strategy] = [setup.job for setup in setups]
    return _jobs[strategy]


def _mark() -> None:
    """Where counting begins and ends: valgrind knows the C library's function by its name."""
    if hasattr(os, "getpgid"):
        os.getpgid(0)


def _play(strategy: str, matchups: list[list[str]], first: int, count: int) -> dict[str, Any]:
    """Play so many duels of each matchup; what they were, and the seconds of this process."""
    jobs = _jobs_of(strategy, matchups)
    gc.collect()  # now, and not at some point of the play
    _mark()
    begun = time.process_time()
    played = [job.play(first, count) for job in jobs]
    seconds = time.process_time() - begun
    _mark()
    from sim.batch import ROW_COLUMNS

    rows = np.concatenate(played)
    told = [name for name in _TOLD if name in ROW_COLUMNS]
    columns = rows[:, [ROW_COLUMNS.index(name) for name in told]]
    digest = hashlib.sha256(" ".join(told).encode() + columns.astype("<i8").tobytes())
    return {
        "seconds": seconds,
        "duels": len(rows),
        "decisions": int(rows[:, ROW_COLUMNS.index("decisions")].sum()),
        "digest": digest.hexdigest(),
    }


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        if "objects" in request:
            from sim.speed.lines import write_objects

            return {"objects": write_objects(Path(request["objects"]))}
        return _play(**request)
    except Exception as fault:
        words = " ".join(f"{fault}".split())
        known = type(fault).__name__ == "InputError"
        return {"error": words if known else f"{type(fault).__name__}: {words}", "known": known}


def main() -> None:
    """Answer until standard input ends."""
    # What libraries print is not an answer.
    gc.disable()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if os.environ.get("DUEL_SIM_LINES"):
        from sim.speed.lines import keep_lines

        keep_lines()
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # whoever asked was killed
        os._exit(1)
