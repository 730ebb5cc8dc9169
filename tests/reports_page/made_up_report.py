"""A whole made-up report."""

from __future__ import annotations

import functools
import itertools

import made_up
import polars as pl

from reports.report_data import About, Example, ReportData


@functools.cache
def report(duels: int = 60) -> ReportData:
    """A report of seven decks with everything in it."""
    pairs = list(itertools.combinations_with_replacement(made_up.DECKS, 2))
    lengths = [
        made_up.length_frame(a, b, seed).with_columns(pl.lit(a).alias("a"), pl.lit(b).alias("b"))
        for seed, (a, b) in enumerate(pairs)
    ]
    return ReportData(
        about=About(
            decks=made_up.DECKS,
            strategy="greedy",
            seed=7,
            duels=10_000,
            swap_duels=1_000,
            rules=("hand_limit=6",),
            command="duel-sim report -o balance --seed 7 --rule hand_limit=6",
            version="0.1.0",
        ),
        matrix=made_up.matrix_table(),
        factions=made_up.factions_table(),
        cycles=made_up.cycles_table(),
        lengths=pl.concat(lengths).select("a", "b", "turns", "reason", "duels"),
        cards=made_up.card_tables(),
        doings=made_up.doings_table(),
        patch=made_up.patch_table(),
        patch_cells=made_up.patch_table().with_columns(pl.lit("Sparta").alias("against")),
        patch_label="legionary_cohort: ATK 3 to 4",
        tempo=[
            made_up.tempo_counts(a, b, duels, seed, (made_up.STRENGTH[a] - made_up.STRENGTH[b]) / 2)
            for seed, (a, b) in enumerate(pairs)
        ],
        examples=[
            Example(
                "The longest duel",
                "Dacia against Egypt, 57 turns: Dacia wins with 3 LP left.",
                "duel-sim watch Dacia Egypt --seed 123456789 --duel 4711 --strategy greedy",
            )
        ],
    )
