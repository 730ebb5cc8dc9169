"""A user's own strategies: files, functions, parameters, packages; compiled and plain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import sim
from cards.errors import InputError
from sim.api import prepare
from sim.cli import main
from strategies import registry
from strategies.finder import Finder
from strategies.parameters import as_arguments
from strategies.registry import BUILT_IN, find_strategy, strategy_names

CHEATS = Path(__file__).with_name("cheats.py")
FIRST = "def choose(view):\n    return view.options[0]\n"
LAST = "def choose(view):\n    return view.options[-1]\n"
COMPILED = """
from sim.ancient_duel.strategy import strategy

PARAMETERS = {"from_end": 0.0, "unused": 3.0}

@strategy
def choose(duel, tables, options, parameters):
    "Takes the option at a place."
    return int(parameters[0]) * (options.n - 1)
"""


def rows(**strategies: Any) -> list[Any]:
    """All that the duels of a small run came to."""
    n = strategies.pop("n", 6)
    found = sim.matchup("rome", "egypt", n=n, seed=4, keep_duels=True, workers=1, **strategies)
    assert found.duels is not None
    return found.duels.rows()


def error(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line of a command that ends with exit code 2."""
    capsys.readouterr()
    assert main([str(argument) for argument in arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = [line for line in printed.err.splitlines() if "first run" not in line][-1:]
    assert printed.err.count("error:") == 1
    assert "Traceback" not in printed.err
    return line


# --- files ----------------------------------------------------------------------------------------
def test_a_file_and_a_function_in_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FIRST + LAST.replace("choose", "other"))
    assert rows(strategy=str(file)) == rows(strategy=f"{file}:choose")
    assert rows(strategy=f"{file}:other") != rows(strategy=str(file))


def test_an_edit_counts_from_the_next_run_on(tmp_path: Path) -> None:
    for source in (FIRST + "\n", COMPILED):
        file = tmp_path / "mine.py"
        file.write_text(source)
        before = rows(strategy=str(file))
        other = source.replace("[0]\n", "[-1]\n").replace("int(parameters[0])", "1")
        file.write_text(other)
        after = rows(strategy=str(file))
        assert before != after
        file.write_text(source)
        assert rows(strategy=str(file)) == before


def test_compiled_and_plain_play_the_same_duels(tmp_path: Path) -> None:
    """The same choice, made by number and by option: the last one of those of one verb and card."""
    file = tmp_path / "mine.py"
    file.write_text(COMPILED)
    strategy = find_strategy(f"{file}:from_end=1")
    assert not strategy.is_plain

    def driven(duel: Any, tables: Any, options: Any, parameters: Any) -> int:
        return int(strategy.choose(duel, tables, options, strategy.parameters))

    plain = registry.make_strategy("driven", lambda view: None, {})
    object.__setattr__(plain, "choose", _Driven(driven))
    setup = prepare("rome", "egypt", strategy_a="random", strategy_b="random", seed=4)
    fast, slow = Finder(), Finder()
    fast._found["it"], slow._found["it"] = strategy, plain
    jobs = [_job(setup.job, finder) for finder in (fast, slow)]
    assert (jobs[0].play(0, 8) == jobs[1].play(0, 8)).all()
    for one, two in zip(*(job.play_observed(0, 8) for job in jobs), strict=True):
        assert (one == two).all()


class _Driven:
    def __init__(self, choose: Callable[..., int]) -> None:
        self._choose = choose

    def entries(self) -> list[Any]:
        return []

    def __call__(self, *arguments: Any) -> int:
        return self._choose(*arguments)


def _job(job: Any, finder: Finder) -> Any:
    from dataclasses import replace

    return replace(job, strategy_a="it", strategy_b="it", find_strategy=finder)


def test_what_lies_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("PLACE = 0\n")
    (tmp_path / "mine.py").write_text(
        "from beside_it import PLACE\n" + FIRST.replace("[0]", "[PLACE]")
    )
    assert rows(strategy=str(tmp_path / "mine.py"), n=2)


# --- parameters -----------------------------------------------------------------------------------
def test_parameters(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        COMPILED + "\ndef plain(view, place=0, name='x'):\n    return view.options[place]\n"
    )
    found = find_strategy(f"{file}:from_end=1, unused = 2.5")
    assert found.parameters[:3].tolist() == [1.0, 2.5, 0.0]
    assert dict(found.values) == {"from_end": 1.0, "unused": 2.5}
    assert found.about == "Takes the option at a place."
    plain = find_strategy(f"{file}:plain:place=1")
    assert plain.is_plain and dict(plain.values) == {"place": 1.0}
    assert rows(strategy=f"{file}:plain:place=0") != rows(strategy=f"{file}:plain:place=1")
    # a default that is a whole number stays one
    whole = as_arguments(lambda view, a=1, b=1.0, c=True: None, {"a": 2.0, "b": 2.0, "c": 0.0})
    assert [type(value) for value in whole.values()] == [int, float, bool]


# --- functions ------------------------------------------------------------------------------------
OFFSET = 1


def helper(view: Any) -> int:
    return min(OFFSET, len(view.options) - 1)


def own(view: Any) -> Any:
    """Uses a function and a number beside it."""
    return view.options[helper(view)]


def test_functions_also_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = sim.matchup("rome", "egypt", n=24, seed=4, strategy=own, workers=1)
    # however short the run is, processes are started for it
    monkeypatch.setattr("sim.workers.PILOTS", (2,))
    monkeypatch.setattr("sim.workers.WORTH_A_PROCESS", 0.0)
    spread = sim.matchup("rome", "egypt", n=24, seed=4, strategy=own, workers=2)
    assert alone.summary.strategy_a == "own"
    assert alone.counts.sort(alone.counts.columns).equals(spread.counts.sort(spread.counts.columns))


def test_two_functions_of_one_name() -> None:
    named = []
    for place in (0, -1):

        def greedy(view: Any, place: int = place) -> Any:
            return view.options[place]

        named.append(greedy)
    found = sim.matchup("rome", "egypt", n=2, strategy_a=named[0], strategy_b=named[1])
    assert {found.summary.strategy_a, found.summary.strategy_b} == {"greedy (2)", "greedy (3)"}


@pytest.mark.compiles
def test_a_notebook_s_own_cells(tmp_path: Path) -> None:
    """Functions of `__main__` travel to workers with what they use; no main guard is needed."""
    script = tmp_path / "cells.py"
    script.write_text(
        "import math, sim, sim.workers\n"
        "sim.workers.PILOTS, sim.workers.WORTH_A_PROCESS = (2,), 0.0\n"
        "from sim.ancient_duel.strategy import strategy\n"
        "LIMIT = 2\n"
        "def helper(view): return math.floor(len(view.options) / LIMIT)\n"
        "def plain(view): return view.options[helper(view)]\n"
        "@strategy\n"
        "def fast(duel, tables, options, parameters): return options.n // LIMIT\n"
        "for function, n in ((plain, 20), (fast, 200)):\n"
        "    both = [sim.matchup('rome', 'egypt', n=n, seed=1, strategy=function, workers=w)\n"
        "            for w in (1, 2)]\n"
        "    assert both[0].summary.win_rate_a == both[1].summary.win_rate_a\n"
        "    print(both[1].summary.strategy_a, both[1].summary.duels)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(sim.__file__).parents[1])},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["plain", "20", "fast", "200"]


# --- packages -------------------------------------------------------------------------------------
def test_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_package_xyz.py").write_text(FIRST + LAST.replace("choose", "other"))
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint("mine", "some_package_xyz", registry.ENTRY_POINTS),
        EntryPoint("Other", "some_package_xyz:other", registry.ENTRY_POINTS),
        EntryPoint("broken", "no_such_package_xyz", registry.ENTRY_POINTS),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    assert strategy_names() == [*BUILT_IN, "Other", "broken", "mine"]
    assert rows(strategy="mine") != rows(strategy="other")
    with pytest.raises(InputError, match=r"'broken' cannot be loaded .*No module named"):
        find_strategy("broken")
    sys.modules.pop("some_package_xyz")


# --- errors ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def choose(view:\n", "mine.py, line 1: is not Python"),
        ("x = 1\n", "there is no function 'choose'"),
        ("def chose(view): pass\n", "did you mean 'chose'?"),
        ("choose = 3\n", "'choose' is no function"),
        ("import no_such_module_xyz\n", "cannot be run: ModuleNotFoundError"),
        ("1 / 0\n", "cannot be run: ZeroDivisionError: division by zero (line 1)"),
        (
            "from sim.ancient_duel.strategy import strategy\n@strategy\n"
            "def choose(duel, tables, options, parameters):\n    return duel.no_such_field\n",
            "'choose' cannot be compiled",
        ),
        ("def choose(view): return view.options[0]\n" + "\xe9", "is not UTF-8 text"),
    ],
)
def test_files_that_cannot_be_used(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="latin-1")
    assert told in error(capsys, "matchup", "rome", "egypt", "--strategy", file, "-n", 2)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("no_such_file.py", "no_such_file.py: there is no such file"),
        ("gredy", "did you mean 'greedy'?"),
        ("greedy:atack=2", "did you mean 'attack'?"),
        ("greedy:attack=much", "'attack' of strategy 'greedy' is 'much'; write a number"),
        ("random:x=1", "strategy 'random' has no parameter 'x'; it has none"),
        (" ", "no strategy is called ''"),
    ],
)
def test_names_that_cannot_be_used(
    name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in error(capsys, "matchup", "rome", "egypt", "--strategy-b", name, "-n", 2)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("plain_raiser", "decision 4: strategy"),
        ("plain_nonsense", "return one of view.options"),
        ("raiser", "raised ValueError: lost the plot"),
        ("beyond", "chose an option that there is not"),
    ],
)
def test_a_fault_names_strategy_and_decision(
    name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = f"{CHEATS}:{name}"
    line = error(capsys, "matchup", "rome", "egypt", "--strategy-a", asked, "-n", 4, "--seed", 1)
    assert told in line
    assert repr(asked) in line
    assert "error: duel 0, decision " in line


def test_finished_shards_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault that comes late loses nothing that was played before it."""
    file = tmp_path / "mine.py"
    counter = tmp_path / "count"
    file.write_text(
        "seen = 0\n"
        "def choose(view):\n"
        "    global seen\n"
        "    seen += view.decision == 1 or view.decision == 2 and not view.my_turn\n"
        "    return view.options[0] if seen < 150 else None\n"
    )
    out = tmp_path / "out"
    arguments = ("matchup", "rome", "egypt", "--strategy", file, "-n", 400, "--workers", 1)
    line = error(capsys, *arguments, "--out", out)
    assert "returned None" in line and not counter.exists()
    kept = [json.loads((out / "manifest.json").read_text())["duels"], *out.glob("*.parquet")]
    assert kept[0] == 400 and len(kept) > 1


def test_a_file_that_changes_under_a_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FIRST)
    finder = Finder()
    name = finder.add(str(file))
    file.write_text(LAST)
    with pytest.raises(InputError, match="was changed while it was playing"):
        finder(name)


def test_what_is_no_strategy_at_all() -> None:
    with pytest.raises(InputError, match="'3' is no strategy"):
        sim.matchup("rome", "egypt", n=2, strategy=3)  # type: ignore[arg-type]
