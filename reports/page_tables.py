"""The tables of the page: cells as they are shown, with the value that they are sorted by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from reports import tempo, wording
from reports.finding import range_words
from reports.report_data import COMEBACKS, ReportData, units_lost
from reports.tempo_charts import LEADS, lead_turns, sides_of

_NONE: Final = "\N{EN DASH}"


@dataclass(frozen=True)
class Cell:
    """What a cell shows, with what goes in small type, and what it is sorted by."""

    text: str
    small: str = ""
    value: str | float = ""
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A table of the page.

    Attributes
    ----------
    name
        Its anchor, and the name of its files.
    caption
        What it holds, in a sentence.
    heads
        The columns' heads.
    rows
        Cells, as many as heads.
    numeric
        Whether each column is of numbers.
    searched
        Whether the page offers to pick rows by a word.
    """

    name: str
    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: tuple[bool, ...]
    searched: bool = False


Row = dict[str, Any]
Column = tuple[str, Callable[[Row], Cell], bool]


def word(key: str) -> Callable[[Row], Cell]:
    """A column of words."""
    return lambda row: Cell(str(row[key]), value=str(row[key]))


def whole(key: str) -> Callable[[Row], Cell]:
    """A column of whole numbers."""
    return lambda row: (
        Cell(_NONE, value=-1) if row[key] is None else Cell(wording.number(row[key]), "", row[key])
    )


def rate(
    name: str, n: str | None = None, decimals: int = 1, ends: str = ""
) -> Callable[[Row], Cell]:
    """A column of rates with their intervals, and n where it is not a column of its own.

    `ends`: what the ends' columns are called, where not as the rate's.
    """

    def cell(row: Row) -> Cell:
        if row[name] is None:
            return Cell(_NONE, value=-1)
        low, high = row[f"{ends or name}_low"], row[f"{ends or name}_high"]
        small = "" if low is None else range_words(low, high, decimals)
        if n is not None:
            small += f", n = {wording.number(row[n])}"
        return Cell(wording.percent(row[name], decimals), small, row[name])

    return cell


def plain_rate(name: str, low: str, high: str, decimals: int = 1) -> Callable[[Row], Cell]:
    """A column of rates whose ends have names of their own."""
    return lambda row: Cell(
        wording.percent(row[name], decimals),
        range_words(row[low], row[high], decimals),
        row[name],
    )


def difference(name: str, flag: str | None = None) -> Callable[[Row], Cell]:
    """A column of differences in points with their intervals, marked where `flag` holds."""

    def cell(row: Row) -> Cell:
        if row[name] is None:
            return Cell(_NONE, value=-9)
        keys = (name, f"{name}_low", f"{name}_high")
        value, low, high = (wording.signed(100 * row[key]) for key in keys)
        mark = ""
        if flag is not None and row[flag]:
            mark = "up" if row[name] > 0 else "down"
        return Cell(value, f"{low} to {high}", row[name], mark)

    return cell


def mean(name: str, decimals: int = 2) -> Callable[[Row], Cell]:
    """A column of means with their intervals."""
    return lambda row: Cell(
        f"{row[name]:.{decimals}f}",
        f"{row[f'{name}_low']:.{decimals}f}\N{EN DASH}{row[f'{name}_high']:.{decimals}f}",
        row[name],
    )


def made(
    name: str,
    caption: str,
    frame: pl.DataFrame,
    columns: Sequence[Column],
    *,
    searched: bool = False,
) -> Table:
    """A table from a frame's rows."""
    rows = [tuple(show(row) for _, show, _ in columns) for row in frame.iter_rows(named=True)]
    return Table(
        name,
        caption,
        tuple(head for head, _, _ in columns),
        tuple(rows),
        tuple(numeric for _, _, numeric in columns),
        searched,
    )


# --- the tables -----------------------------------------------------------------------------------
def matchup_table(matrix: pl.DataFrame) -> Table:
    """Every matchup."""

    def verdict(row: Row) -> Cell:
        if row["mirror"]:
            return Cell("mirror", "even by symmetry", "~")
        if row["flagged"]:
            return Cell(row["favoured"], _p(row["p_adjusted"]), row["favoured"], "up")
        return Cell("not shown", _p(row["p_adjusted"]), "~")

    columns: list[Column] = [
        ("deck A", word("a"), False),
        ("deck B", word("b"), False),
        ("A wins", rate("win_rate_a"), True),
        ("favoured", verdict, False),
        ("beginner wins", rate("first_player_win_rate"), True),
        ("turns", lambda row: _turns(row), True),
        ("by empty deck", lambda row: _share(row["ended_by_deck"], row["duels"]), True),
        ("duels", whole("duels"), True),
        ("seed", lambda row: Cell(str(row["seed"]), value=row["seed"]), True),
    ]
    caption = (
        "Every matchup with its 95% interval. Favoured: shown after the correction for many "
        "comparisons (adjusted p below 0.05). Turns: mean, and 5 to 95% of the duels."
    )
    return made("matchups", caption, matrix, columns)


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _turns(row: Row) -> Cell:
    spread = f"{row['p5_turns']}\N{EN DASH}{row['p95_turns']}"
    return Cell(f"{row['mean_turns']:.1f}", spread, row["mean_turns"])


def _share(share: float, n: int) -> Cell:
    low, high = tempo.share_interval(round(share * n), n)
    return Cell(wording.percent(share, 2), range_words(low, high, 2), share)


def faction_table(factions: pl.DataFrame) -> Table:
    """Every deck against the field."""

    def matchup(which: str) -> Callable[[Row], Cell]:
        name = f"{which}_win_rate"
        return lambda row: Cell(
            f"{row[which]} {wording.percent(row[name])}",
            range_words(row[f"{name}_low"], row[f"{name}_high"]),
            row[name],
        )

    columns: list[Column] = [
        ("deck", word("deck"), False),
        ("average", rate("average"), True),
        ("rating", _rating, True),
        ("best matchup", matchup("best"), True),
        ("worst matchup", matchup("worst"), True),
        ("in equilibrium", rate("equilibrium", decimals=0), True),
        ("against the mix", lambda row: _bare(row["against_equilibrium"]), True),
        ("duels", whole("duels"), True),
    ]
    caption = (
        "Average: every opponent counts the same, mirrors do not count. Rating: Bradley-Terry "
        "points, mean 0; 100 points are odds of 1.8 to 1. Equilibrium: share and where 95% of "
        "resampled matrices put it; against the mix: the deck's win rate against that mix."
    )
    return made("factions", caption, factions, columns)


def _rating(row: Row) -> Cell:
    keys = ("rating", "rating_low", "rating_high")
    value, low, high = (wording.signed(row[key], 0) for key in keys)
    return Cell(value, f"{low} to {high}", row["rating"])


def _bare(value: float | None) -> Cell:
    return Cell(_NONE, value=-1) if value is None else Cell(wording.percent(value), value=value)


def cycle_table(cycles: pl.DataFrame) -> Table:
    """A beats B beats C beats A."""
    columns: list[Column] = [
        ("first", word("first"), False),
        ("second", word("second"), False),
        ("third", word("third"), False),
        ("first beats second", rate("first_second"), True),
        ("second beats third", rate("second_third"), True),
        ("third beats first", rate("third_first"), True),
        ("in resampled matrices", lambda row: _bare(row["resampled"]), True),
        ("shown", lambda row: Cell("yes" if row["sure"] else "no", value=str(row["sure"])), False),
    ]
    caption = "Cycles of three. Shown: all three intervals lie above 50%."
    return made("cycles", caption, cycles, columns)


def card_table(cards: pl.DataFrame, *, swaps: bool) -> Table:
    """Every card of every deck: seen and caused."""
    columns: list[Column] = [
        (
            "card",
            lambda row: Cell(row["name_en"], f"{row['deck']}, {row['kind']}", row["name_en"]),
            False,
        )
    ]
    if swaps:
        columns.append(("brings (caused)", difference("brings", "flagged"), True))
        columns.append(("duels, each variant", whole("swap_duels"), True))
    columns += [
        ("drawn minus not drawn (seen)", difference("seen"), True),
        ("wins when drawn", rate("drawn_win_rate", "drawn_duels", ends="drawn"), True),
        ("not drawn", rate("not_drawn_win_rate", "not_drawn_duels", ends="not_drawn"), True),
        ("played", rate("played_win_rate", "played_duels", ends="played"), True),
    ]
    if "was_set_win_rate" in cards.columns:
        columns.append(("set", rate("was_set_win_rate", "was_set_duels", ends="was_set"), True))
    columns += [
        ("played when drawn", _played, True),
        ("copies", whole("copies"), True),
        ("duels", whole("duels"), True),
    ]
    caption = (
        "Brings: win rate with the card minus with a plain card of its level in its place, in "
        "points, on the same seeds; coloured where shown after the correction. Drawn: a copy left "
        "the deck. All with 95% intervals."
    )
    if not swaps:
        caption = "What was seen of each card, with 95% intervals. Drawn: a copy left the deck."
    return made("cards", caption, cards, columns, searched=True)


def _played(row: Row) -> Cell:
    cell = rate("played_when_drawn")(row)
    return Cell(cell.text, f"{cell.small}, dead", cell.value, "down") if row["dead"] else cell


def doing_table(doings: pl.DataFrame) -> Table:
    """How often each card did what."""
    columns: list[Column] = [
        ("card", lambda row: Cell(row["name_en"], row["deck"], row["name_en"]), False),
        ("did", word("doing"), False),
        ("a duel", mean("per_duel"), True),
        ("taken when offered", lambda row: _bare(row["taken"]), True),
        ("times", whole("times"), True),
        ("offered", whole("offered"), True),
        ("duels", whole("duels"), True),
    ]
    caption = "How often each card did something, a duel with it in the deck, with 95% intervals."
    return made("doings", caption, doings, columns, searched=True)


def patch_tables(data: ReportData) -> list[Table]:
    """A patch, by deck and by matchup."""
    found = []
    for name, frame, head, caption in (
        ("patch", data.patch, "deck", "Averages against the field before and after the patch."),
        ("patch_matchups", data.patch_cells, "against", "The same for each matchup."),
    ):
        if frame is None or not len(frame):
            continue
        columns: list[Column] = [("deck", word("deck"), False)]
        if head != "deck":
            columns.append(("against", word(head), False))
        columns += [
            ("before", rate("before"), True),
            ("after", rate("after"), True),
            ("difference", difference("difference", "flagged"), True),
            ("duels, each", whole("duels"), True),
        ]
        caption += " The difference is paired, in points; coloured: shown, corrected."
        found.append(made(name, caption, frame, columns))
    return found


def pace_tables(data: ReportData) -> list[Table]:
    """Comebacks, leads, and when duels are decided."""
    counts = data.tempo
    comebacks = tempo.comebacks(counts, COMEBACKS)
    leads = tempo.leads_at(tempo.lead_values(counts), lead_turns(counts, 12), LEADS)
    decided = tempo.decided_by(counts).filter(pl.col("rate") < 0.9995)
    behind: list[Column] = [
        ("behind by", lambda row: Cell(f"{row['behind']} LP or more", value=row["behind"]), True),
        ("duels won from there", plain_rate("share", "share_low", "share_high"), True),
        ("of duels", whole("duels"), True),
        ("chance of whoever is", plain_rate("rate", "low", "high"), True),
        ("of sides", whole("n"), True),
    ]
    ahead: list[Column] = [
        ("end of turn", whole("turn"), True),
        ("lead, LP from", whole("lead"), True),
        ("side ahead wins", plain_rate("rate", "low", "high"), True),
        ("duels", whole("n"), True),
    ]
    turns: list[Column] = [
        ("turn", whole("turn"), True),
        ("winner ahead for good", plain_rate("rate", "low", "high"), True),
        ("duels", whole("n"), True),
    ]
    return [
        made("comebacks", "Who still wins after having been behind.", comebacks, behind),
        made("leads", "The side ahead at the end of a turn, by its lead.", leads, ahead),
        made("decided", "By when the later winner is ahead for good.", decided, turns),
    ]


def energy_tables(data: ReportData) -> list[Table]:
    """Energy by kind and units, by deck."""
    rows = []
    for deck in data.order:
        shares = tempo.energy_shares(sides_of(data.tempo, deck))
        row: Row = {"deck": deck, "n": int(shares["n"][0])}
        for each in shares.iter_rows(named=True):
            kind = each["kind"]
            row |= {kind: each["share"], f"{kind}_low": each["low"], f"{kind}_high": each["high"]}
        rows.append(row)
    columns: list[Column] = [("deck", word("deck"), False)]
    columns += [(tempo.KIND_NAMES[kind], rate(kind), True) for kind in tempo.SPENT]
    columns.append(("duels", whole("n"), True))
    units: list[Column] = [
        ("deck", word("deck"), False),
        ("units that came", mean("came"), True),
        ("units lost", mean("lost"), True),
        ("enemy units lost", mean("enemy_lost"), True),
        ("duels", whole("n"), True),
    ]
    return [
        made("energy", "What became of all the energy of a deck.", pl.DataFrame(rows), columns),
        made(
            "units_lost",
            "Units a duel: came to the field, left it (destroyed, sacrificed or taken back).",
            units_lost(data.tempo, data.order),
            units,
        ),
    ]
