"""What stands out in a report, in plain words, and how sure that is.

Nothing here says more than its interval: what is not shown is said to be not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from reports import tempo, wording
from reports.bounded_mean import weighted_interval
from reports.intervals import Interval, Rate, quantile
from reports.report_data import ReportData
from reports.tempo_charts import LEADS, lead_turns, sides_of

#: How sure a finding is.
SURE: Final = "shown"
OPEN: Final = "not shown"
COUNTED: Final = "counted"

_TO: Final = "\N{EN DASH}"
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """One thing that stands out.

    Attributes
    ----------
    title
        It, as a headline.
    text
        The numbers behind it, with intervals and n.
    certainty
        SURE, OPEN, or COUNTED (a plain count that needs no test).
    why
        What makes it sure, or what is missing, in words.
    section
        The page's part with more about it.
    """

    title: str
    text: str
    certainty: str
    why: str
    section: str


def rate_words(row: Row, name: str, decimals: int = 1) -> str:
    """A rate with its interval: 54.2% (53.9 to 54.5), with a dash."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return f"{wording.percent(row[name], decimals)} ({range_words(low, high, decimals)})"


def range_words(low: float, high: float, decimals: int = 1) -> str:
    """Two shares as per cents without the sign, with a dash."""
    return f"{100 * low:.{decimals}f}{_TO}{100 * high:.{decimals}f}"


def points_words(row: Row, name: str) -> str:
    """A difference of shares in points with its interval."""
    keys = (name, f"{name}_low", f"{name}_high")
    value, low, high = (wording.signed(100 * row[key]) for key in keys)
    return f"{value} points ({low} to {high})"


def findings(data: ReportData) -> list[Finding]:
    """What stands out, the most important first."""
    found: list[Finding] = []
    for part in (
        _patch,
        _matchups,
        _factions,
        _cycles,
        _first_player,
        _cards,
        _dead,
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
    rate = Rate(row["wins"], row["n"], 0, Interval(row["low"], row["high"]), 0.95, "")
    lead = f"{row['lead']}{_TO}{row['lead_to']}"
    return (
        f"A lead of {lead} LP after turn {row['turn']} wins {wording.percent(rate.estimate, 0)} "
        f"({range_words(*rate.interval, 0)}) of duels"
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


# --- cards and patches ----------------------------------------------------------------------------
def card_title(cards: pl.DataFrame) -> str:
    """The card that brings most, in a line."""
    known = cards.filter(pl.col("brings").is_not_null()).sort("brings", "card")
    if not len(known):
        return "What cards bring"
    row = known.row(-1, named=True)
    return f"{row['name_en']} ({row['deck']}) brings most: {points_words(row, 'brings')}"


def _cards(data: ReportData) -> Iterator[Finding]:
    if data.cards is None or not data.has_swaps:
        return
    known = data.cards.filter(pl.col("brings").is_not_null()).sort("brings", "card")
    if not len(known):
        return
    best, worst = known.row(-1, named=True), known.row(0, named=True)
    flagged = int(known["flagged"].sum())
    text = f"{worst['name_en']} ({worst['deck']}) brings least: {points_words(worst, 'brings')}. "
    text += (
        f"{flagged} of {len(known)} cards are shown to matter against a plain card of their level, "
        f"{wording.number(int(best['swap_duels']))} duels a card and variant."
        if "swap_duels" in best
        else f"{flagged} of {len(known)} cards are shown to matter."
    )
    yield Finding(
        card_title(data.cards),
        text,
        SURE if best["flagged"] else OPEN,
        f"The same seeds with a plain card in its place, corrected for {len(known)} comparisons.",
        "cards",
    )
    misled = known.filter((pl.col("seen_low") > 0.01) & (pl.col("brings_high") < 0.0))
    if len(misled):
        row = misled.sort("seen", descending=True).row(0, named=True)
        yield Finding(
            f"{row['name_en']} ({row['deck']}) looks good, and is not",
            f"Its deck wins {points_words(row, 'seen')} more often when it is drawn, but the card "
            f"brings {points_words(row, 'brings')}. The rest is the company in which it is seen: "
            "late draws come in long duels.",
            SURE,
            "Both intervals exclude 0, on opposite sides.",
            "cards",
        )


def _dead(data: ReportData) -> Iterator[Finding]:
    if data.cards is None or not int(data.cards["dead"].sum()):
        return
    dead = data.cards.filter(pl.col("dead")).sort("played_when_drawn", "card")
    names = [
        f"{row['name_en']} ({row['deck']}, {rate_words(row, 'played_when_drawn')} of "
        f"{wording.number(row['drawn_duels'])} duels)"
        for row in dead.head(3).iter_rows(named=True)
    ]
    more = f", and {len(dead) - 3} more" if len(dead) > 3 else ""
    yield Finding(
        f"{len(dead)} dead card{'s' * (len(dead) > 1)}: drawn, but hardly ever played",
        f"Played when drawn: {'; '.join(names)}{more}.",
        SURE,
        "The interval lies below 10%. That may be the card, or how the strategy plays it.",
        "cards",
    )


def patch_title(changes: pl.DataFrame) -> str:
    """What the patch does, in a line."""
    row = _moved_most(changes)
    if not row["flagged"]:
        return "The patch is not shown to move any deck's average"
    return f"The patch moves {row['deck']} by {points_words(row, 'difference')}"


def _moved_most(changes: pl.DataFrame) -> dict[str, Any]:
    far = changes.with_columns(pl.col("difference").abs().alias("far"))
    order = ["flagged", "far", "deck"]
    return far.sort(order, descending=[True, True, False]).row(0, named=True)


def _patch(data: ReportData) -> Iterator[Finding]:
    if data.patch is None or not len(data.patch):
        return
    row = _moved_most(data.patch)
    moved = int(data.patch["flagged"].sum())
    yield Finding(
        patch_title(data.patch),
        f"{data.patch_label}. {row['deck']}: {rate_words(row, 'before')} before, "
        f"{rate_words(row, 'after')} after, {wording.number(row['duels'])} duels each on the same "
        f"seeds. {moved} of {len(data.patch)} decks are shown to move.",
        SURE if row["flagged"] else OPEN,
        f"The paired difference, corrected for {len(data.patch)} comparisons.",
        "patch",
    )


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
