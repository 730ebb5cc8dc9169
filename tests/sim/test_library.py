"""`import sim; sim.matchup(…)`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sim
from cards.ancient_duel.decks import Deck, random_deck, standard_deck
from cards.ancient_duel.load import card_set
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError

TOP = Path(sim.__file__).resolve().parents[1]


def test_result() -> None:
    result = sim.matchup("rome", "sparta", n=100, seed=3)
    assert result.summary.duels == 100
    assert result.counts["duels"].sum() == 100
    assert result.pairs["pairs"].sum() == 50
    assert result.duels is None
    assert json.loads(json.dumps(result.to_json()))["seed"] == 3
    assert repr(result).startswith("<Matchup, seed 3: With tactician on both sides")
    assert result.summary.finding in repr(result)


def test_duels_on_request() -> None:
    result = sim.matchup("rome", "sparta", n=101, seed=3, keep_duels=True)
    assert result.duels is not None
    assert result.duels["duel"].to_list() == list(range(101))
    assert (result.duels["winner"] == "a").sum() == result.summary.win_rate_a.wins


def test_chart(tmp_path: Path) -> None:
    result = sim.matchup("rome", "sparta", n=20)
    assert result.chart(tmp_path / "x.png") == tmp_path / "x.png"
    with pytest.raises(InputError, match=r"\.png or \.svg"):
        result.chart(tmp_path / "x.bmp")


def test_decks_and_rules_of_every_sort() -> None:
    cards = card_set()
    deck = random_deck(cards, np.random.default_rng(1), "coalition")
    for rules in ({"hand_limit": 6}, ["hand_limit=6"], RuleSet(hand_limit=6)):
        result = sim.matchup(deck, standard_deck(cards, "egypt"), n=4, rules=rules)
        assert result.rules.hand_limit == 6
        assert result.summary.a == deck.name


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 0}, "number of duels"),
        ({"n": 2.5}, "number of duels"),
        ({"n": True}, "number of duels"),
        ({"n": "10"}, "number of duels"),
        ({"seed": -1}, "seed"),
        ({"workers": 0}, "workers"),
        ({"rules": {"hand": 1}}, "hand_limit"),
        ({"a": Deck("Nothing", "rome", ())}, "not legal"),
        ({"strategy": "nobody"}, "no strategy"),
    ],
)
def test_bad_arguments(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        sim.matchup(**{"a": "rome", "b": "sparta", "n": 2, **change})


def test_pairs_share_shuffles_and_the_other_side_begins() -> None:
    duels = sim.matchup("rome", "sparta", n=400, seed=8, keep_duels=True).duels
    assert duels is not None
    first = duels["first"].to_list()
    assert all(one != two for one, two in zip(first[0::2], first[1::2], strict=True))
    assert 60 < first[0::2].count("a") < 140  # who begins the first of a pair is drawn
    one, two = _openings(8, 0), _openings(8, 1)
    assert one[0] == two[0]
    assert one[1] != two[1]
    assert _openings(8, 2)[0] != one[0]


def _openings(seed: int, number: int) -> tuple[Any, str]:
    """Both decks in their order with both hands, at the start of a duel; and who begins."""
    from sim import api
    from sim.ancient_duel import play
    from sim.ancient_duel.record import new_duels

    job = api.prepare("rome", "sparta", strategy_a="greedy", strategy_b="greedy", seed=seed).job
    duel = new_duels(1)[0]
    tables = job.tables.view(np.recarray)[0]
    pair, second = divmod(number, 2)
    play.start(
        duel, tables, job.deck_a, job.deck_b, np.uint64(seed), np.uint64(pair), np.int64(second)
    )
    zones = [
        duel[zone][side, : duel[f"{zone}_size"][side]].tolist()
        for zone in ("deck", "hand")
        for side in range(2)
    ]
    return zones, "ab"[int(duel["first"])]


def test_a_side_that_always_begins_plays_no_pairs() -> None:
    result = sim.matchup("rome", "sparta", n=20, rules=["first_player=a"], keep_duels=True)
    assert result.duels is not None
    assert set(result.duels["first"]) == {"a"}
    assert result.summary.pairs == 0
    assert result.duels.drop("duel").n_unique() > 15


def test_a_longer_run_begins_with_the_shorter_one() -> None:
    short = sim.matchup("rome", "sparta", n=50, seed=2, keep_duels=True).duels
    long = sim.matchup("rome", "sparta", n=300, seed=2, keep_duels=True).duels
    assert short is not None and long is not None
    assert short.equals(long.head(50))


def _python(code: str, *, folder: Path, **changes: str) -> str:
    file = folder / "script.py"
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(file)],
        env={**os.environ, "PYTHONPATH": str(TOP), **changes},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_script_without_a_main_guard(tmp_path: Path) -> None:
    out = _python(
        "print('begins')\n"
        "import sim\n"
        "result = sim.matchup('rome', 'sparta', n=40_000, strategy='random', seed=1, workers=2)\n"
        "print(result.summary.duels)\n",
        folder=tmp_path,
    )
    assert out.split() == ["begins", "40000"]


def test_a_bare_import_is_light(tmp_path: Path) -> None:
    out = _python(
        "import sys, sim\nprint([m for m in ('numba', 'polars', 'numpy') if m in sys.modules])\n",
        folder=tmp_path,
    )
    assert out.strip() == "[]"


def test_memory_does_not_grow_with_the_number_of_duels(tmp_path: Path) -> None:
    code = (
        "import sys, sim\n"
        "from sim.bench import peak_memory_mb\n"
        "sim.matchup('rome', 'sparta', n=int({n}), seed=1, workers=1)\n"
        "print(peak_memory_mb())\n"
    )
    few, many = (float(_python(code.format(n=n), folder=tmp_path)) for n in (50_000, 300_000))
    # 250,000 rows of duels, were they kept, would be two dozen MB by themselves.
    assert many < few + 12


def test_counts_do_not_grow_with_the_number_of_duels(
    fake_duels: Callable[[int], pl.DataFrame],
) -> None:
    from sim.tally import Tally

    tally = Tally(paired=True)
    sizes = []
    for part in range(60):
        tally.add(fake_duels(part))
        sizes.append(len(tally.counts))
    assert sizes[-1] <= 1.05 * sizes[29]


@pytest.fixture
def fake_duels() -> Callable[[int], pl.DataFrame]:
    """The function that makes the duels of a shard, with numbers like those of real ones."""
    from sim.tally import duel_frame

    def make(part: int) -> pl.DataFrame:
        rng = np.random.default_rng(part)
        n = 20_000
        turns = rng.binomial(40, 0.2, n)
        columns = [
            *(rng.integers(0, 2, n) for _ in range(3)),
            *(turns, turns),
            *(rng.integers(1, 6, n) for _ in range(2)),
            rng.integers(50, 90, n),
        ]
        return duel_frame(part * n, np.stack(columns, axis=1).astype(np.int32))

    return make
