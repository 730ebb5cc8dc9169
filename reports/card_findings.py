"""What stands out about the cards, and about a patch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from reports import wording
from reports.finding import OPEN, SURE, Finding, points_words, rate_words
from reports.report_data import ReportData


def card_title(cards: pl.DataFrame) -> str:
    """The card that brings most, in a line."""
    known = cards.filter(pl.col("brings").is_not_null()).sort("brings", "card")
    if not len(known):
        return "What cards bring"
    row = known.row(-1, named=True)
    return f"{row['name_en']} ({row['deck']}) brings most: {points_words(row, 'brings')}"


def card_findings(data: ReportData) -> Iterator[Finding]:
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
    yield from _misleading(known)


def _misleading(known: pl.DataFrame) -> Iterator[Finding]:
    """The card that looks better than it is by most, if by five points or more for sure."""
    gaps = known.with_columns((pl.col("seen_low") - pl.col("brings_high")).alias("gap"))
    misled = gaps.filter((pl.col("gap") > 0.05) & (pl.col("brings_low") < 0.01))
    if not len(misled):
        return
    row = misled.sort("gap", "card", descending=[True, False]).row(0, named=True)
    yield Finding(
        f"{row['name_en']} ({row['deck']}) looks better than it is",
        f"Seen: its deck's win rate is {points_words(row, 'seen')} higher when it is drawn. "
        f"Caused: the card brings {points_words(row, 'brings')}. The rest is the company in which "
        "it is seen: late draws come in long duels.",
        SURE,
        "The two intervals are more than five points apart.",
        "cards",
    )


def dead_cards(data: ReportData) -> Iterator[Finding]:
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


def patch_findings(data: ReportData) -> Iterator[Finding]:
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
