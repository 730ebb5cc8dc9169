"""Profiles: from an address in compiled code to its source line, through what was inlined."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sim.speed.profile import _counted, plain_name

PROGRAM = """
import sys
from pathlib import Path
from sim.speed.lines import keep_lines, write_objects

keep_lines()
import numba

@numba.njit
def inner(number):
    return number * number + 3

@numba.njit("int64(int64)")
def outer(number):
    total = 0
    for each in range(number):
        total ^= inner(each)
    return total

assert outer(10) == 0 ^ 3 ^ 4 ^ 7 ^ 12 ^ 19 ^ 28 ^ 39 ^ 52 ^ 67 ^ 84
from sim.speed.profile import _source
found = set()
for place in write_objects(Path(sys.argv[1])):
    size = place["end"] - place["start"]
    assert size > 0
    for chain in _source(place, range(size)):
        found.add(" in ".join(f"{line.function}:{line.line}" for line in chain))
print("\\n".join(sorted(found)))
"""


@pytest.mark.skipif(
    not all(map(shutil.which, ("objdump", "addr2line"))), reason="there are no binutils here"
)
def test_lines_of_inlined_code(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    top = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=top,
        env={**os.environ, "PYTHONPATH": str(top), "NUMBA_DISABLE_JIT": "0"},
    )
    assert done.returncode == 0, done.stderr
    line = next(i for i, text in enumerate(PROGRAM.splitlines(), 1) if "number * number" in text)
    call = next(i for i, text in enumerate(PROGRAM.splitlines(), 1) if "inner(each)" in text)
    assert f"inner:{line} in outer:{call}" in done.stdout.splitlines()


def test_names() -> None:
    symbol = "_ZN3sim12ancient_duel5stats7refreshB4v106B74c8tJTC_2fWwCJrC0oGE6Record"
    assert plain_name(symbol) == "refresh"
    assert plain_name("cfunc._ZN3sim5batch10play_duelsB2v3B62c8t") == "play_duels"
    assert plain_name("NRT_incref") == "NRT_incref"


def test_valgrinds_file(tmp_path: Path) -> None:
    """What a call executes is counted in the function that is called, and not twice."""
    file = tmp_path / "callgrind"
    file.write_text(
        "positions: instr\nevents: Ir\n\n"
        "fn=above\n0x10 3\n0x14 3\ncfn=below\ncalls=3 0x40\n0x14 900\n0x18 3\n\n"
        "fn=below\n0x40 300\n0x44 600\nfn=again\n0x10 2\n",
        encoding="utf-8",
    )
    assert _counted(file) == {0x10: 5, 0x14: 3, 0x18: 3, 0x40: 300, 0x44: 600}
