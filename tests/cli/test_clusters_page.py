"""docs/clusters.md: what can be run here works, and what cannot is what the commands take."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim import cluster

PAGE = Path(__file__).resolve().parents[2] / "docs" / "clusters.md"
FEW = "1000"
#: Words that begin a line for other machines.
ELSEWHERE = ("pip", "dask", "duel-sim")


def _blocks() -> list[tuple[bool, list[str]]]:
    """Whether a block is for other machines, and its lines."""
    page = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^(<!-- elsewhere -->\n)?```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [(bool(mark), text.splitlines()) for mark, text in found]


def _lines(elsewhere: bool) -> list[str]:
    return [line for mark, lines in _blocks() for line in lines if mark is elsewhere]


@pytest.mark.parametrize("line", _lines(False))
def test_command(duel_sim: Callable[..., Any], line: str) -> None:
    arguments = shlex.split(line)[1:]
    arguments[arguments.index("-n") + 1] = FEW
    try:
        outcome = duel_sim(*arguments)
    finally:
        cluster.close()
    assert outcome.code == 0, outcome.err
    assert outcome.out


@pytest.mark.parametrize("line", [line for line in _lines(True) if line.startswith("duel-sim")])
def test_command_for_a_cluster_that_is_not_there(
    duel_sim: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Everything but the address is right."""
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    outcome = duel_sim(*shlex.split(line.replace("//HOST:", "//127.0.0.1:1"))[1:])
    assert outcome.code == 2
    assert "cluster tcp://127.0.0.1:18786: cannot be reached" in outcome.err


def test_no_line_is_left_out() -> None:
    assert _lines(False)
    assert {line.split()[0] for line in _lines(True)} == set(ELSEWHERE)


def test_the_times_follow_from_the_rate() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rate = re.search(r"^Rate: ([\d,]+) duels a second and core", page, re.MULTILINE)
    assert rate is not None
    units = {"hours": 3600, "minutes": 60}
    rows = re.findall(r"^\| playing, (\d+) cores \|.*?\| ([\d.]+) (\w+) \|", page, re.MULTILINE)
    assert len(rows) == 3
    for cores, time, unit in rows:
        wanted = 1e9 / (int(rate[1].replace(",", "")) * int(cores))
        assert float(time) * units[unit] == pytest.approx(wanted, rel=0.05)
