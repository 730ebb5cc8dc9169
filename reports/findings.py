"""What stands out in a report, in plain words, and how sure that is.

Nothing here says more than its interval: what is not shown is said to be not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from reports import tempo, wording
from reports.bounded_mean import weighted_interval
from reports.card_findings import card_findings, dead_cards, patch_findings
from reports.finding import COUNTED, OPEN, SURE, Finding, range_words, rate_words
from reports.intervals import Interval, quantile
from reports.report_data import ReportData
from reports.tempo_charts import LEADS, lead_turns, sides_of


def findings(data: ReportData) -> list[Finding]:
    """What stands out, the most important first."""
    found: list[Finding] = []
    for part in (
        patch_findings,
        _matchups,
        _factions,
        _cycles,
        _first_player,
        card_findings,
        dead_cards,
        _lead,
        _length,
    ):
        found += part(data)
    return found


# --- matchups and factions ------------------------------------------------------------------------
def lopsided(matrix: pl.DataFrame) -> dict[str, Any] | None:
    """The matchup furthest from even that is shown to be uneven: its row from the winner's side."""
    uneven = matrix.filter(pl.col("flagged").fill_null(False))
    if not len(uneven):
        return None
    furthest = uneven.with_columns((pl.col("win_rate_a") - 0.5).abs().alias("far"))
    row = furthest.sort("far", "a", "b", descending=[True, False, False]).row(0, named=True)
    ahead = row["win_rate_a"] > 0.5
    return {
        **row,
        "winner": row["a"] if ahead else row["b"],
        "loser": row["b"] if ahead else row["a"],
        "rate": row["win_rate_a"] if ahead else 1 - row["win_rate_a"],
        "rate_low": row["win_rate_a_low"] if ahead else 1 - row["win_rate_a_high"],
        "rate_high": row["win_rate_a_high"] if ahead else 1 - row["win_rate_a_low"],
    }


def matchup_title(matrix: pl.DataFrame) -> str:
    """The matrix in a line."""
    row = lopsided(matrix)
    if row is None:
        return "No matchup is shown to be uneven"
    return f"Most lopsided: {row['winner']} wins {rate_words(row, 'rate')} against {row['loser']}"


def _matchups(data: ReportData) -> Iterator[Finding]:
    if data.matrix is None or len(data.about.decks) < 2:
        return
    tested = data.matrix.filter(~pl.col("mirror"))
    uneven = int(tested["flagged"].sum())
    row = lopsided(data.matrix)
    duels = wording.number(int(tested["duels"].min()))  # type: ignore[arg-type]
    corrected = f"corrected for {len(tested)} comparisons (false discovery rate 5%)"
    if row is None:
        yield Finding(
            "No matchup is shown to be uneven",
            f"All {len(tested)} matchups, {duels} duels each, are compatible with 50%.",
            OPEN,
            f"No deviation is left when {corrected}; more duels could still show one.",
            "matchups",
        )
        return
    far = tested.filter(pl.col("flagged") & ((pl.col("win_rate_a") - 0.5).abs() > 0.1))
    yield Finding(
        matchup_title(data.matrix),
        f"{uneven} of {len(tested)} matchups are uneven, {len(far)} of them beyond 60:40 "
        f"({duels} duels each).",
        SURE,
        f"The deviation is shown, {corrected}.",
        "matchups",
    )


def faction_title(factions: pl.DataFrame) -> str:
    """The order of the decks in a line."""
    best, worst = factions.row(0, named=True), factions.row(-1, named=True)
    return (
        f"{best['deck']} averages {wording.percent(best['average'])}, "
        f"{worst['deck']} {wording.percent(worst['average'])}"
    )


def _factions(data: ReportData) -> Iterator[Finding]:
    if data.factions is None or len(data.factions) < 2:
        return
    rows = list(data.factions.iter_rows(named=True))
    best, second, worst = rows[0], rows[1], rows[-1]
    apart = best["average_low"] > second["average_high"]
    yield Finding(
        f"{best['deck']} is the strongest deck, {worst['deck']} the weakest"
        if apart
        else f"{best['deck']} and {second['deck']} lead, {worst['deck']} is last",
        f"Average against the others: {best['deck']} {rate_words(best, 'average')}, "
        f"{second['deck']} {rate_words(second, 'average')}, {worst['deck']} "
        f"{rate_words(worst, 'average')}; {wording.number(best['duels'])} duels a deck.",
        SURE if apart else OPEN,
        "The intervals of the first two do not touch."
        if apart
        else "The intervals of the first two overlap: which of them is stronger is not shown.",
        "factions",
    )
    played = [row for row in rows if row["equilibrium"] > 0.005]
    mix = ", ".join(
        f"{row['deck']} {100 * row['equilibrium']:.0f}% "
        f"({range_words(row['equilibrium_low'], row['equilibrium_high'], 0)})"
        for row in sorted(played, key=lambda row: -row["equilibrium"])
    )
    never = [row["deck"] for row in rows if row["in_equilibrium"] < 0.025]
    yield Finding(
        f"Players who pick the best deck would play {_listed([row['deck'] for row in played])}",
        f"Shares in the equilibrium: {mix}."
        + (
            f" Hardly ever picked, whatever the chance in the data: {_listed(never)}." * bool(never)
        ),
        SURE if all(row["in_equilibrium"] > 0.975 for row in played) else OPEN,
        "In brackets: where 95% of resampled matrices put the share.",
        "factions",
    )


def _cycles(data: ReportData) -> Iterator[Finding]:
    if data.cycles is None or not len(data.cycles):
        return
    sure = data.cycles.filter(pl.col("sure"))
    if not len(sure):
        return
    row = sure.row(0, named=True)
    words = f"{row['first']} beats {row['second']} beats {row['third']} beats {row['first']}"
    yield Finding(
        f"A cycle: {words}",
        f"{rate_words(row, 'first_second')}, {rate_words(row, 'second_third')}, "
        f"{rate_words(row, 'third_first')}. {len(sure)} of {len(data.cycles)} cycles of three are "
        "shown.",
        SURE,
        "All three intervals lie above 50%.",
        "factions",
    )


# --- who begins, how it goes ----------------------------------------------------------------------
def first_player(matrix: pl.DataFrame) -> tuple[float, Interval, int]:
    """The first player's win rate over all matchups, its interval, and the number of duels."""
    rows = list(matrix.iter_rows(named=True))
    duels = sum(row["duels"] for row in rows)
    weights = [row["duels"] / duels for row in rows]
    means = [row["first_player_win_rate"] for row in rows]
    ends = [
        Interval(row["first_player_win_rate_low"], row["first_player_win_rate_high"])
        for row in rows
    ]
    mean = sum(w * m for w, m in zip(weights, means, strict=True))
    return mean, weighted_interval(weights, means, ends), duels


def first_player_title(matrix: pl.DataFrame) -> str:
    """What beginning does, in a line."""
    mean, interval, _ = first_player(matrix)
    words = f"{wording.percent(mean)} ({range_words(*interval)}) of duels go to whoever begins"
    if interval.low > 0.5:
        return f"Beginning helps: {words}"
    return f"Beginning hurts: {words}" if interval.high < 0.5 else f"No edge in beginning: {words}"


def _first_player(data: ReportData) -> Iterator[Finding]:
    if data.matrix is None:
        return
    _, interval, duels = first_player(data.matrix)
    rows = data.matrix.sort("first_player_win_rate", descending=True)
    most, least = rows.row(0, named=True), rows.row(-1, named=True)
    yield Finding(
        first_player_title(data.matrix),
        f"Over {wording.number(duels)} duels. By matchup from "
        f"{rate_words(least, 'first_player_win_rate')} ({least['a']} and {least['b']}) to "
        f"{rate_words(most, 'first_player_win_rate')} ({most['a']} and {most['b']}).",
        SURE if interval.low > 0.5 or interval.high < 0.5 else OPEN,
        "The interval over all matchups excludes 50%."
        if interval.low > 0.5 or interval.high < 0.5
        else "The interval over all matchups contains 50%.",
        "pace",
    )


def lead_title(counts: Sequence[tempo.TempoCounts]) -> str:
    """What a lead is worth early on, in a line."""
    row = early_lead(counts)
    if row is None:
        return "What a lead in LP is worth"
    lead = wording.span(row["lead"], row["lead_to"])
    return (
        f"A lead of {lead} LP after turn {row['turn']} wins {wording.percent(row['rate'], 0)} "
        f"({range_words(row['low'], row['high'], 0)}) of duels"
    )


def early_lead(counts: Sequence[tempo.TempoCounts]) -> dict[str, Any] | None:
    """The cell of leads to speak of: a middling lead about when half of the duels are decided."""
    turns = lead_turns(counts, 12)
    shown = tempo.leads_at(tempo.lead_values(counts), turns, LEADS).filter(pl.col("n") >= 200)
    half = next(
        row["turn"] for row in tempo.decided_by(counts).iter_rows(named=True) if row["rate"] >= 0.5
    )
    cells = shown.filter((pl.col("lead") == LEADS[1]) & (pl.col("turn") <= max(half, turns[0])))
    if not len(cells):
        return None
    return {**cells.sort("turn").row(-1, named=True), "lead_to": LEADS[2] - 1}


def decided_title(counts: Sequence[tempo.TempoCounts]) -> str:
    """How early the winner is ahead for good, in a line."""
    table = tempo.decided_by(counts)
    half = next(row for row in table.iter_rows(named=True) if row["rate"] >= 0.5)
    return f"In half of all duels the winner is ahead for good by turn {half['turn']}"


def _lead(data: ReportData) -> Iterator[Finding]:
    if not data.tempo:
        return
    rows = tempo.comebacks(data.tempo, (5, 10))
    parts = [
        f"{wording.percent(row['share'])} ({range_words(row['share_low'], row['share_high'])}) of "
        f"{wording.number(row['duels'])} duels were won from {row['behind']} LP or more behind"
        for row in rows.iter_rows(named=True)
    ]
    yield Finding(
        decided_title(data.tempo),
        f"{lead_title(data.tempo)}. Comebacks: {'; '.join(parts)}.",
        COUNTED,
        "Counted at the end of every turn; intervals in brackets.",
        "pace",
    )


def length_title(lengths: pl.DataFrame) -> str:
    """How long duels last, in a line."""
    counted = lengths.group_by("turns").agg(pl.col("duels").sum()).sort("turns")
    p5, p50, p95 = (
        quantile(counted["turns"].to_list(), counted["duels"].to_list(), q)
        for q in (0.05, 0.5, 0.95)
    )
    return f"Half of all duels are over by turn {p50}, nine in ten last {p5} to {p95} turns"


def _length(data: ReportData) -> Iterator[Finding]:
    if data.lengths is None:
        return
    n = int(data.lengths["duels"].sum())
    by_deck = data.lengths.filter(pl.col("reason").cast(pl.String) == "deck")
    deck = int(by_deck["duels"].sum())
    low, high = tempo.share_interval(deck, n)
    yield Finding(
        length_title(data.lengths),
        f"Turns of both sides together, over {wording.number(n)} duels. An empty deck ended "
        f"{wording.percent(deck / n, 2)} ({range_words(low, high, 2)}) of them.",
        COUNTED,
        "Counted.",
        "pace",
    )


def energy_title(counts: Sequence[tempo.TempoCounts]) -> str:
    """Where the energy goes, in a line."""
    shares = tempo.energy_shares(sides_of(counts))
    by_kind = {row["kind"]: row for row in shares.iter_rows(named=True)}
    attack, lost = by_kind["attack"], by_kind["lost"]
    return (
        f"Attacks take {wording.percent(attack['share'], 0)} of all energy; "
        f"{wording.percent(lost['share'], 0)} is lost at the refill"
    )


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
