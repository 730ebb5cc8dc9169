"""Made-up results in the shape of real ones, for charts and the page."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from reports.intervals import wilson
from reports.report_data import with_seen
from reports.tempo import TempoCounts

DECKS: Final = ("Rome", "Sparta", "Macedon", "Persia", "Carthage", "Egypt", "Dacia")
STRENGTH: Final = dict(zip(DECKS, (0.1, 0.55, 0.2, -0.35, 0.0, -0.6, 0.25), strict=True))
TITLES: Final = ("Guard of the Long Northern Wall", "Levy", "Spear")
KINDS: Final = ("attack", "deploy", "activate", "tactic_own", "tactic_enemy", "kept", "lost")
COLUMNS: Final = (
    *("first", "winner", "by_deck", "turns_a", "turns_b", "lp_a", "lp_b", "decisions"),
    *(
        f"{name}_{side}"
        for side in "ab"
        for name in (*KINDS, "refill", "arrived", "left", "behind", "not_ahead")
    ),
)


def rate_columns(name: str, wins: int, of: int) -> dict[str, float]:
    """A rate and its ends, as three columns."""
    low, high = wilson(wins, of)
    return {name: wins / of, f"{name}_low": low, f"{name}_high": high}


def chance(a: str, b: str) -> float:
    """How often deck a beats deck b."""
    edge = STRENGTH[a] - STRENGTH[b] + 0.35 * np.sin(DECKS.index(a) - DECKS.index(b)).item()
    return float(1 / (1 + np.exp(-edge)))


def matrix_table(duels: int = 10_000) -> pl.DataFrame:
    """`MatrixSummary.table()`."""
    rng = np.random.default_rng(3)
    rows: list[dict[str, Any]] = []
    for a, b in itertools.combinations_with_replacement(DECKS, 2):
        wins = int(rng.binomial(duels, chance(a, b)))
        first = int(rng.binomial(duels, 0.5 + 0.02 * (len(a) - 5) + 0.02))
        flagged = None if a == b else abs(wins / duels - 0.5) > 0.012
        rows.append(
            {
                "a": a,
                "b": b,
                "mirror": a == b,
                "duels": duels,
                "pairs": duels // 2,
                "seed": 1000 + len(rows),
                "wins_a": wins,
                **rate_columns("win_rate_a", wins, duels),
                "method": "paired score interval, skewness-corrected",
                "p": None if a == b else 0.0001 if flagged else 0.4,
                "p_adjusted": None if a == b else 0.0002 if flagged else 0.5,
                "flagged": flagged,
                "favoured": (a if wins > duels / 2 else b) if flagged else None,
                **rate_columns("first_player_win_rate", first, duels),
                "mean_turns": 16.2 + len(rows) % 5,
                "p5_turns": 8,
                "p50_turns": 16 + len(rows) % 5,
                "p95_turns": 29,
                "ended_by_deck": 0.002 * (len(rows) % 4),
            }
        )
    return pl.DataFrame(rows)


def factions_table(duels: int = 10_000) -> pl.DataFrame:
    """`FactionsSummary.table()`."""
    rows: list[dict[str, Any]] = []
    shares = {"Sparta": (0.62, 0.4, 0.8), "Dacia": (0.38, 0.2, 0.6), "Rome": (0.0, 0.0, 0.12)}
    for deck in DECKS:
        against = {other: chance(deck, other) for other in DECKS if other != deck}
        average = sum(against.values()) / 6
        best, worst = max(against, key=against.__getitem__), min(against, key=against.__getitem__)
        share, low, high = shares.get(deck, (0.0, 0.0, 0.0))
        rating = 400 * np.log10(average / (1 - average))
        rows.append(
            {
                "deck": deck,
                "opponents": 6,
                "duels": 6 * duels,
                **rate_columns("average", round(6 * duels * average), 6 * duels),
                "rating": rating,
                "rating_low": rating - 3,
                "rating_high": rating + 3,
                "best": best,
                **rate_columns("best_win_rate", round(duels * against[best]), duels),
                "worst": worst,
                **rate_columns("worst_win_rate", round(duels * against[worst]), duels),
                "equilibrium": share,
                "equilibrium_low": low,
                "equilibrium_high": high,
                "in_equilibrium": 1.0 if share else 0.03 if high else 0.0,
                "against_equilibrium": 0.5 if share else 0.4,
            }
        )
    return pl.DataFrame(rows).sort("average", descending=True)


def cycles_table() -> pl.DataFrame:
    """`FactionsSummary.cycles_table()`."""
    row = {"first": "Sparta", "second": "Rome", "third": "Dacia"}
    for name, wins in (("first_second", 6120), ("second_third", 5260), ("third_first", 5190)):
        row |= rate_columns(name, wins, 10_000)  # type: ignore[arg-type]
    return pl.DataFrame([{**row, "sure": True, "resampled": 0.99}])


def card_tables(duels: int = 20_000) -> pl.DataFrame:
    """`reports.cards.card_table`: seen beside caused."""
    rng = np.random.default_rng(5)
    rows: list[dict[str, Any]] = []
    for deck in DECKS:
        for number in range(20):
            brings = float(rng.normal(0.004, 0.012))
            seen = 0.5 + STRENGTH[deck] / 8 + brings + float(rng.normal(0, 0.02))
            drawn = int(duels * rng.uniform(0.3, 0.9))
            row: dict[str, Any] = {
                "deck": deck,
                "card": f"{deck.lower()}_card_{number}",
                "name_en": f"{deck} {TITLES[number % 3]} {number}",
                "kind": ("unit", "unit", "doctrine", "tactic", "commander")[number % 5],
                "copies": 1 + number % 3,
                "duels": duels,
            }
            for state, shift in (("drawn", 0.01), ("played", 0.05), ("not_drawn", -0.02)):
                of = drawn if state != "not_drawn" else duels - drawn
                row[f"{state}_duels"] = of
                rate = rate_columns(f"{state}_win_rate", round(of * (seen + shift)), of)
                row |= {name.replace("_win_rate_", "_"): end for name, end in rate.items()}
            row |= rate_columns("played_when_drawn", round(0.8 * drawn), drawn)
            row |= {"dead": number == 7, "brings": brings}
            row |= {"brings_low": brings - 0.006, "brings_high": brings + 0.006}
            row |= {"swap_duels": 12_000, "p_adjusted": 0.5 if abs(brings) < 0.009 else 0.001}
            row |= {"flagged": abs(brings) >= 0.009}
            rows.append(row)
    return with_seen(pl.DataFrame(rows))


def doings_table() -> pl.DataFrame:
    """`CardsSeen.doings_table()`."""
    return pl.DataFrame(
        [
            {
                "deck": deck,
                "card": f"{deck.lower()}_card_{n}",
                "name_en": f"{deck} Guard {n}",
                "kind": "unit",
                "doing": doing,
                "offered": 5000,
                "times": 3000,
                **rate_columns("per_duel", 3000, 20_000),
                "taken": 0.6,
                "duels": 20_000,
            }
            for deck in DECKS
            for n in range(4)
            for doing in ("deployed", "attacked")
        ]
    )


def patch_table(duels: int = 10_000) -> pl.DataFrame:
    """`ChangesSummary.table()` of a patch."""
    rows: list[dict[str, Any]] = []
    for n, deck in enumerate(DECKS):
        before = 0.5 + STRENGTH[deck] / 6
        difference = 0.024 if deck == "Rome" else -0.004 * (n % 2)
        rows.append(
            {
                "change": "rome.legionary_cohort.atk=4",
                "deck": deck,
                "opponents": 6,
                "duels": 6 * duels,
                **rate_columns("before", round(6 * duels * before), 6 * duels),
                **rate_columns("after", round(6 * duels * (before + difference)), 6 * duels),
                "difference": difference,
                "difference_low": difference - 0.003,
                "difference_high": difference + 0.003,
                "p": 0.001,
                "p_adjusted": 0.002,
                "flagged": abs(difference) > 0.003,
                "correlation": 0.7,
                "error_times_smaller": 1.8,
            }
        )
    return pl.DataFrame(rows)


def length_frame(a: str, b: str, seed: int = 1) -> pl.DataFrame:
    """`counts` of a matchup as `reports.matchup` documents them."""
    rng = np.random.default_rng(seed)
    rows: dict[tuple[Any, ...], int] = {}
    for _ in range(2_000):
        first = "ab"[int(rng.integers(2))]
        winner = "a" if rng.random() < chance(a, b) else "b"
        turns = 4 + int(rng.gamma(6 + DECKS.index(a) / 3, 2))
        key = (first, winner, "deck" if turns > 34 else "lp", turns, 9, -2)
        rows[key] = rows.get(key, 0) + 1
    names = ("first", "winner", "reason", "turns", "lp_left", "lp_loser", "duels")
    return pl.DataFrame([(*key, n) for key, n in rows.items()], schema=names, orient="row")


# --- how duels ran --------------------------------------------------------------------------------
class Paths:
    """Random duels: LP at the end of every turn, and a row a duel."""

    def __init__(self, n: int, seed: int, edge: float = 0.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.lp: list[list[tuple[int, int]]] = []
        self.rows: list[dict[str, int]] = []
        for number in range(n):
            self._play(number, edge)

    def _play(self, number: int, edge: float) -> None:
        rng = self.rng
        lp = [20, 20]
        path: list[tuple[int, int]] = []
        first = number % 2
        while min(lp) > 0 and len(path) < 70:
            side = (first + len(path)) % 2
            power = 1.2 + (edge if side == 0 else -edge) + 0.05 * len(path)
            lp[1 - side] -= int(rng.poisson(power)) if len(path) else 0
            path.append((lp[0], lp[1]))
        winner = 0 if lp[0] > lp[1] else 1
        self.lp.append(path)
        turns = (len(path) + 1 - first) // 2, (len(path) + first) // 2
        row = {"first": first, "winner": winner, "by_deck": int(min(lp) > 0), "decisions": 60}
        for side, sign in ((0, 1), (1, -1)):
            letter = "ab"[side]
            ahead = [sign * (one - other) for one, other in path[:-1]]
            refill = sum(min(12, 6 + max(0, t - 2)) for t in range(1, turns[side] + 1))
            spent = {kind: int(rng.integers(0, refill // 8 + 1)) for kind in KINDS}
            spent["kept"] = spent["lost"] + spent["tactic_enemy"]
            row |= {f"{kind}_{letter}": amount for kind, amount in spent.items()}
            row |= {f"turns_{letter}": turns[side], f"lp_{letter}": lp[side]}
            row |= {f"refill_{letter}": refill, f"arrived_{letter}": 7}
            row |= {f"left_{letter}": int(rng.integers(2, 7))}
            row |= {f"behind_{letter}": max(0, *[-lead for lead in ahead], 0)}
            row |= {f"not_ahead_{letter}": max([0, *_ends(ahead)])}
        self.rows.append(row)


def _ends(ahead: list[int]) -> list[int]:
    return [turn for turn, lead in enumerate(ahead, 1) if lead <= 0]


def tempo_counts(a: str, b: str, n: int = 400, seed: int = 1, edge: float = 0.0) -> TempoCounts:
    """How made-up duels ran, added up slowly from each of them."""
    paths = Paths(n, seed, edge)
    lp, leads = [], []
    for row, path in zip(paths.rows, paths.lp, strict=True):
        for turn, points in enumerate(path, 1):
            lp += [(row["first"], side, turn, max(0, points[side]), 1) for side in range(2)]
        for turn, points in enumerate(path[:-1], 1):
            leads.append((row["first"], row["winner"], turn, points[0] - points[1], 1))
    frame = pl.DataFrame(paths.rows).select(COLUMNS)
    matrix = frame.to_numpy().astype(np.int64)
    pairs = matrix.reshape(-1, 2, len(COLUMNS)).sum(axis=1)
    behind, decided = [], []
    for row in paths.rows:
        behind += [(s, int(row["winner"] == s), row[f"behind_{'ab'[s]}"], 1) for s in range(2)]
        not_ahead = row[f"not_ahead_{'ab'[row['winner']]}"]
        decided.append((not_ahead, row["turns_a"] + row["turns_b"], 1))
    return TempoCounts(
        a=a,
        b=b,
        duels=n,
        clusters=n // 2,
        lp=_counted(lp, ("first", "side", "turn", "lp")),
        leads=_counted(leads, ("first", "winner", "turn", "lead")),
        energy=_energy(paths),
        behind=_counted(behind, ("side", "won", "behind")),
        decided=_counted(decided, ("not_ahead", "turns")),
        columns=COLUMNS,
        totals=pairs.sum(axis=0),
        products=pairs.T @ pairs,
        kept=frame.with_row_index("duel").cast(pl.Int64),
    )


def _counted(rows: Sequence[tuple[int, ...]], keys: tuple[str, ...]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=(*keys, "duels"), orient="row")
    return frame.group_by(keys).agg(pl.col("duels").sum()).sort(keys)


def _energy(paths: Paths) -> pl.DataFrame:
    """Energy by own turn: as if it were spent evenly."""
    rows = []
    for side in range(2):
        for turn in range(1, 20):
            begun = [r for r in paths.rows if r[f"turns_{'ab'[side]}"] >= turn]
            for kind in (*KINDS, "refill"):
                each = [r[f"{kind}_{'ab'[side]}"] // r[f"turns_{'ab'[side]}"] for r in begun]
                rows.append((side, turn, kind, len(each), sum(each), sum(x * x for x in each)))
    names = ("side", "own_turn", "kind", "turns", "amount", "squares")
    return pl.DataFrame(rows, schema=names, orient="row")
