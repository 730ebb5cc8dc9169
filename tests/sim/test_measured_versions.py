"""Two versions play in turn in processes of their own: small stand-ins for the library."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cards.errors import InputError
from sim.speed.against import Pair, compare, measure_pairs
from sim.speed.instructions import count_instructions, fair_ratio, to_json
from sim.speed.measured import Measured, Played, UnknownStrategy, Version, standard_matchups

API = """
import types
import numpy as np

class InputError(Exception):
    pass

class Job:
    def __init__(self, strategy):
        self.strategy = strategy

    def entries(self):
        return []

    def play(self, first, count):
        with open({log!r}, "a") as file:
            print({name!r}, self.strategy, first, count, file=file)
        rows = np.zeros((count, 8), dtype=np.int32)
        rows[:, 1] = np.arange(first, first + count) % 2
        rows[:, 7] = {decisions}
        total = 0
        for number in range(count * (20_000 if self.strategy == "heavy" else 10_000)):
            total += number
        return rows

def prepare(a, b, *, strategy_a, strategy_b, seed):
    {at_once}
    if strategy_a not in {strategies!r}:
        raise InputError(f"no strategy is called {{strategy_a!r}}")
    return types.SimpleNamespace(job=Job(strategy_a))
"""
BATCH = """ROW_COLUMNS = (
    "first", "winner", "by_deck", "turns_a", "turns_b", "lp_a", "lp_b", "decisions"
)"""

Make = Callable[..., Version]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make a version's library; every play is a line of the file `log`."""

    def version(
        name: str,
        decisions: int = 5,
        strategies: tuple[str, ...] = ("light", "heavy"),
        at_once: str = "pass",
    ) -> Version:
        room = tmp_path / name / "sim"
        room.mkdir(parents=True)
        (room / "__init__.py").write_text("")
        (room / "batch.py").write_text(BATCH)
        (room / "first_run.py").write_text("def make_ready(entries): pass")
        text = API.format(
            log=str(tmp_path / "log"),
            name=name,
            decisions=decisions,
            strategies=strategies,
            at_once=at_once,
        )
        (room / "api.py").write_text(text)
        return Version(name, tmp_path / name, tmp_path / f"{name}-cache")

    return version


def _quiet(_: str) -> None:
    pass


def test_versions_play_the_same_duels_in_turn(make: Make, tmp_path: Path) -> None:
    pairs = list(measure_pairs(make("old"), make("new"), ["light"], 4, 0.001, _quiet))
    assert len(pairs) == 4
    lines = [line.split() for line in (tmp_path / "log").read_text().splitlines()]
    # The matchups of one play follow one another; the last two plays of a pair are its measurement.
    plays = [tuple(line) for line in lines[:: len(standard_matchups())]]
    size = pairs[0].new.duels // len(standard_matchups())
    measured = [play for play in plays if play[2:] != ("0", "4")][-8:]
    firsts = [int(first) for _, _, first, _ in measured]
    assert [name for name, *_ in measured] == 2 * ["new", "old", "old", "new"]
    assert firsts == [0, 0, size, size, 2 * size, 2 * size, 3 * size, 3 * size]
    assert {int(count) for *_, count in measured} == {size}
    (found,) = compare(pairs)
    assert found.same_duels
    assert found.duels == 4 * pairs[0].new.duels
    assert found.decisions == (5 * found.duels, 5 * found.duels)


def test_other_duels_are_told(make: Make) -> None:
    old, new = make("old", decisions=6), make("new", decisions=5)
    (found,) = compare(list(measure_pairs(old, new, ["light"], 2, 0.001, _quiet)))
    assert not found.same_duels
    assert found.fair == found.per_decision
    assert found.per_decision.estimate == pytest.approx(found.per_duel.estimate * 6 / 5)


def test_a_strategy_that_is_new_is_left_out(make: Make) -> None:
    old, new = make("old", strategies=("light",)), make("new")
    said: list[str] = []
    pairs = list(measure_pairs(old, new, ["light", "heavy"], 2, 0.001, said.append))
    assert {pair.strategy for pair in pairs} == {"light"}
    assert any("heavy is left out" in line for line in said)
    with pytest.raises(InputError, match="takes none of the strategies"):
        list(measure_pairs(old, new, ["heavy"], 2, 0.001, _quiet))
    with pytest.raises(UnknownStrategy, match="no strategy is called 'nobody'"):
        list(measure_pairs(old, new, ["nobody"], 2, 0.001, _quiet))


@pytest.mark.parametrize(
    ("at_once", "words"),
    [
        ("import nosuch", "old: does not run here: ModuleNotFoundError: No module named 'nosuch'"),
        ("import os; os._exit(7)", "old: the measured process ended with code 7"),
    ],
)
def test_a_version_that_does_not_run(make: Make, at_once: str, words: str) -> None:
    with pytest.raises(InputError) as caught, Measured(make("old", at_once=at_once)) as process:
        process.play("light", 0, 2)
    assert str(caught.value) == words


def test_what_a_library_prints_is_no_answer(make: Make) -> None:
    with Measured(make("old", at_once="print('hello')")) as process:
        assert process.play("light", 0, 2).decisions == 5 * 2 * len(standard_matchups())


def _played(seconds: float, decisions: int = 10, digest: str = "a") -> Played:
    return Played(seconds, 2, decisions, digest)


def test_comparison_by_hand() -> None:
    pairs = [
        Pair("light", _played(1), _played(1.5)),
        Pair("heavy", _played(4, digest="b"), _played(2, decisions=5, digest="c")),
        Pair("light", _played(2), _played(3)),
        Pair("heavy", _played(4, digest="b"), _played(2, decisions=5, digest="c")),
    ]
    light, heavy = compare(pairs)
    assert (light.strategy, light.same_duels, light.finding) == ("light", True, "slower")
    assert light.ns[0] == pytest.approx(0.75e9)
    assert light.ns[1] == pytest.approx(1.125e9)
    assert light.fair.estimate == pytest.approx(1.5)
    assert light.slower_than(1.49)
    assert not light.slower_than(1.51)
    # Half the time for half the decisions: each takes as long as before.
    assert (heavy.same_duels, heavy.finding) == (False, "no difference shown")
    assert heavy.per_duel.estimate == pytest.approx(0.5)
    assert heavy.fair.estimate == pytest.approx(1)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no valgrind here")
def test_instructions_are_counted(make: Make) -> None:
    version = make("new")
    sizes: dict[str, int] = {}
    light, heavy = count_instructions(version, ["light", "nobody", "heavy"], _quiet, sizes)
    assert light.duels == sizes["light"] * len(standard_matchups())
    assert light.decisions == 5 * light.duels
    # The stand-in's loop runs twice as often; what does not belong to a duel has dropped out.
    assert heavy.per_duel / light.per_duel == pytest.approx(2, rel=0.02)
    assert to_json(heavy, None)["instructions_per_duel"] == heavy.per_duel
    assert fair_ratio(to_json(heavy, heavy)) == 1


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no valgrind here")
def test_nothing_to_count(make: Make) -> None:
    with pytest.raises(UnknownStrategy, match="no strategy is called 'nobody'"):
        list(count_instructions(make("new"), ["nobody"], _quiet))
